import { randomBytes } from 'node:crypto';
import { createVault } from './vault';

const newKey = () => randomBytes(32).toString('base64');
const plain = Buffer.from('whsec_example');

it('opens what it sealed, differently each time, and shows nothing of it', () => {
  const vault = createVault(newKey());
  const [first, second] = [vault.seal(plain, 'a'), vault.seal(plain, 'a')];
  expect(vault.open(first, 'a')).toEqual(plain);
  expect(first.text).not.toBe(second.text);
  expect(Buffer.from(first.text, 'base64').includes(plain)).toBe(false);
});

it('refuses what was moved to another row or changed in a single bit', () => {
  const vault = createVault(newKey());
  const sealed = vault.seal(plain, 'row a');
  expect(() => vault.open(sealed, 'row b')).toThrow();
  const bytes = Buffer.from(sealed.text, 'base64');
  for (let position = 0; position < bytes.length; position += 1) {
    const changed = Buffer.from(bytes);
    changed[position]! ^= 1;
    expect(() => vault.open({ ...sealed, text: changed.toString('base64') }, 'row a')).toThrow();
  }
});

it('reads with the previous key and writes with the current one; without it, it says which is missing', () => {
  const [oldKey, newOne] = [newKey(), newKey()];
  const sealed = createVault(oldKey).seal(plain, 'a');
  const rotated = createVault(newOne, oldKey);
  expect(rotated.open(sealed, 'a')).toEqual(plain);
  expect(rotated.seal(plain, 'a').key_id).toBe(rotated.currentKeyId);
  expect(() => createVault(newOne).open(sealed, 'a')).toThrow(sealed.key_id);
});
