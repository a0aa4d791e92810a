import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keptSecrets, rotateKey, SECRETS_OF, secretFiles } from './compose-secrets.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('secrets are made once, and only their owner reads them', () => {
  const made = keptSecrets(folder);
  expect(keptSecrets(folder)).toEqual(made);
  expect(statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('a platform from before there was one file keeps its keys', () => {
  writeFileSync(path.join(folder, 'SECRETS_KEY'), 'the key of long ago\n');
  expect(keptSecrets(folder).services.SECRETS_KEY).toBe('the key of long ago');
  expect(keptSecrets(folder).services.SECRETS_KEY).toBe('the key of long ago');
});

test('each container is handed its own secrets, and no two stores share a password', () => {
  const secrets = keptSecrets(folder);
  const files = secretFiles(secrets);
  for (const [service, names] of Object.entries(SECRETS_OF))
    expect(Object.keys(files[service]!.files).sort()).toEqual([...names].sort());
  const holders = (text: string) =>
    Object.entries(files).flatMap(([name, { files: own }]) =>
      JSON.stringify(own).includes(text) ? [name] : [],
    );
  expect(holders(secrets.services.SECRETS_KEY).sort()).toEqual(['integrations', 'passes']);
  expect(holders(secrets.services.JWT_SECRET).sort()).toEqual(['gateway', 'identity', 'passes']);
  expect(holders(secrets.services.CHECKPOINT_SIGNING_KEY)).toEqual(['ledger']);
  expect(holders(secrets.stores.mongodbRoot)).toEqual(['mongo']);
  expect(holders(secrets.stores.mongodb)).not.toContain('gateway');
  expect(new Set(Object.values(secrets.stores)).size).toBe(5);
});

test('a key is replaced in three steps, at each of which what is sealed by either can be read as long as it is needed', () => {
  const at = () => {
    const { files } = secretFiles(keptSecrets(folder)).passes!;
    return [files.SECRETS_KEY, files.SECRETS_KEY_PREVIOUS];
  };
  const [old, none] = at();
  expect(none).toBe('');
  expect(rotateKey(folder, 'SECRETS_KEY')).toBe('added');
  const [kept, added] = at();
  expect(kept).toBe(old);
  expect(Buffer.from(added!, 'base64')).toHaveLength(32);
  expect(rotateKey(folder, 'SECRETS_KEY')).toBe('swapped');
  expect(at()).toEqual([added, old]);
  expect(rotateKey(folder, 'SECRETS_KEY')).toBe('removed');
  expect(at()).toEqual([added, '']);
  expect(rotateKey(folder, 'SECRETS_KEY')).toBe('added');
  expect(at()[0]).toBe(added);
  expect(at()[1]).not.toBe(old);
});

test('what is replaced of one key leaves the other as it is', () => {
  const before = keptSecrets(folder).services;
  rotateKey(folder, 'JWT_SECRET');
  rotateKey(folder, 'JWT_SECRET');
  const after = keptSecrets(folder).services;
  expect(after.JWT_SECRET).not.toBe(before.JWT_SECRET);
  expect({ ...after, JWT_SECRET: '', JWT_SECRET_PREVIOUS: '' }).toEqual({
    ...before,
    JWT_SECRET: '',
    JWT_SECRET_PREVIOUS: '',
  });
});
