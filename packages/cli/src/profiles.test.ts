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

test('who is renewed is not meant for that, and does not come back after signing out', () => {
  const profiles = createProfiles(folder);
  profiles.put('staging', { url: 'https://staging.example.com', access_token: 'old' });
  profiles.put('shop', { url: 'https://shop.example.com' });
  const renewed = { url: 'https://staging.example.com', access_token: 'new' };
  profiles.renew('staging', renewed);
  expect([profiles.current(), profiles.get('staging')]).toEqual(['shop', renewed]);
  profiles.remove('staging');
  profiles.renew('staging', renewed);
  expect(profiles.get('staging')).toBeUndefined();
});

test('a lock that cannot be made at all is refused, and not waited for as that of another', async () => {
  // A folder that is there and takes nothing in.
  const work = createProfiles('/proc/self').alone(async () => undefined);
  await expect(work).rejects.toThrow('/proc/self');
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
