import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { namesServers, serverMeant } from './servers-meant.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-meant-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a command is about the server that the environment names, by itself or in a file', () => {
  const file = path.join(folder, 'MONGODB_URI');
  writeFileSync(file, 'mongodb://kept\n');
  expect(serverMeant('MONGODB_URI', { MONGODB_URI_FILE: file })).toBe('mongodb://kept');
  const both = { MONGODB_URI: 'mongodb://said', MONGODB_URI_FILE: file };
  expect(serverMeant('MONGODB_URI', both)).toBe('mongodb://said');
});

test('an environment that names servers only in files is not taken for one that names none', () => {
  expect(namesServers({ REDIS_URL_FILE: '/secrets/REDIS_URL' })).toBe(true);
  expect(namesServers({ PORT: '8080' })).toBe(false);
});
