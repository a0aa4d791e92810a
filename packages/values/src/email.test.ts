import fc from 'fast-check';
import { emailKey } from './email';

/** A letter, or one with a mark: as one character where there is one for both, or as two. */
const letter = fc.oneof(
  fc.constantFrom('a', 'e', 'j', 'z', 'ß', 'ø', 'ı', 'İ', 'ǰ', 'é', 'Å', '.', '+', '1'),
  fc.tuple(fc.constantFrom('a', 'e', 'i', 'J', 'O'), fc.constantFrom('\u0301', '\u0308', '\u030c')),
);
const address = fc
  .array(letter, { minLength: 1 })
  .map((letters) => `${letters.flat().join('')}@mail.example`);

test('the key of an address is its own key, and that of every way to write it', () => {
  fc.assert(
    fc.property(address, (email) => {
      const key = emailKey(email);
      for (const same of [key, ` ${email}\n`, email.normalize('NFC'), email.normalize('NFD')])
        expect(emailKey(same)).toBe(key);
    }),
  );
});

test.each([
  ['ANN@Mail.Example', 'ann@mail.example'],
  ['\u01f0an@mail.example', 'J\u030can@mail.example'],
  ['CAF\u00c9@mail.example', 'cafe\u0301@mail.example'],
])('%j and %j are one address', (one, other) => {
  expect(emailKey(one)).toBe(emailKey(other));
});

test('an accent tells two addresses apart', () => {
  expect(emailKey('cafe@mail.example')).not.toBe(emailKey('caf\u00e9@mail.example'));
});
