import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProfiles } from './profiles';

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'laurel-profiles-')), 'laurel');
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

test('what is kept can be read by its owner alone', () => {
  const profiles = createProfiles(folder);
  profiles.put('shop', { url: 'https://loyalty.example.com', token: 'secret' });
  expect(statSync(profiles.file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('the profile that was written last is meant, until it is gone', () => {
  const profiles = createProfiles(folder);
  profiles.put('shop', { url: 'https://shop.example.com' });
  profiles.put('other', { url: 'https://other.example.com' });
  expect(profiles.current()).toBe('other');
  profiles.remove('other');
  expect(profiles.get('other')).toBeUndefined();
  expect(profiles.get('shop')).toEqual({ url: 'https://shop.example.com' });
});

test('processes of one user do one after the other what must not be done by two', async () => {
  const seen: string[] = [];
  const work = (name: string) =>
    createProfiles(folder).alone(async () => {
      seen.push(`${name} begins`);
      await new Promise(setImmediate);
      seen.push(`${name} ends`);
    });
  await Promise.all([work('a'), work('b'), work('c')]);
  for (let place = 0; place < seen.length; place += 2)
    expect(seen[place + 1]).toBe(seen[place]!.replace('begins', 'ends'));
});
