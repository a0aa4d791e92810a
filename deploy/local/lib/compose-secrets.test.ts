import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keptSecrets, SECRETS_OF, secretFiles } from './compose-secrets.mjs';

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
