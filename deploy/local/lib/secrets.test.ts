import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPrivate, writePrivate } from './secrets.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-private-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what is written takes the place of the file whole, and never overwrites it piece by piece', () => {
  const file = path.join(folder, 'kept.json');
  writePrivate(file, { key: 'old' });
  linkSync(file, path.join(folder, 'before.json'));

  writePrivate(file, { key: 'new' });

  expect(readPrivate(file)).toEqual({ key: 'new' });
  expect(readPrivate(path.join(folder, 'before.json'))).toEqual({ key: 'old' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what cannot be written leaves the file as it was, and nothing beside it', () => {
  const file = path.join(folder, 'kept.json');
  writePrivate(file, { key: 'old' });
  const before = readFileSync(file, 'utf8');

  expect(() => writePrivate(file, { key: 1n })).toThrow(TypeError);

  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readdirSync(folder)).toEqual(['kept.json']);
});
