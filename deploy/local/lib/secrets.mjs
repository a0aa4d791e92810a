// The secrets of one instance, made once and readable by its owner only.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Reads a JSON file that only its owner may see, or nothing when there is none.
 *
 * @param {string} file
 */
export const readPrivate = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * Written beside and moved, since half a file would be the end of what was sealed with its keys.
 *
 * @param {string} file
 * @param {object} content
 */
export function writePrivate(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}`;
  try {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(beside, text, { mode: 0o600, flush: true });
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {Record<'JWT_SECRET' | 'SECRETS_KEY' | 'CHECKPOINT_SIGNING_KEY', string>}
 */
export function loadSecrets(file) {
  const kept = readPrivate(file) ?? {};
  const secrets = { ...newSecrets(), ...kept };
  if (Object.keys(secrets).some((name) => !(name in kept))) writePrivate(file, secrets);
  return secrets;
}

/** Fresh secrets, named as the settings that take them. */
export function newSecrets() {
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    JWT_SECRET: randomBytes(48).toString('base64url'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    CHECKPOINT_SIGNING_KEY: Buffer.from(privateKey).toString('base64'),
  };
}
