// The secrets of the platform under docker compose: made once, kept together, and handed to each container apart.
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSecrets, readPrivate, writePrivate } from './secrets.mjs';

/**
 * What each service is given; that it is what the service reads is a test's business (deploy/manifests.test.ts). The operator's
 * commands get the addresses of the servers and no key.
 */
export const SECRETS_OF = {
  gateway: ['REDIS_URL', 'JWT_SECRET', 'JWT_SECRET_PREVIOUS'],
  identity: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL', 'JWT_SECRET', 'JWT_SECRET_PREVIOUS'],
  clients: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'],
  ledger: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL', 'CHECKPOINT_SIGNING_KEY'],
  integrations: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL', 'SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'],
  tiers: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'],
  rewards: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'],
  referrals: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'],
  automations: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'],
  passes: [
    'MONGODB_URI',
    'RABBITMQ_URL',
    'REDIS_URL',
    'SECRETS_KEY',
    'SECRETS_KEY_PREVIOUS',
    'JWT_SECRET',
  ],
  campaigns: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'],
  operator: ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'],
};

/** Users of the containers: of our own images, and of those of the stores. */
const NODE = 1000;
const STORES = 999;

/** Passwords that no address has to quote. */
const newPassword = () => randomBytes(24).toString('hex');

const newStorePasswords = () => ({
  mongodbRoot: newPassword(),
  mongodb: newPassword(),
  mongodbKeyFile: randomBytes(96).toString('base64'),
  rabbitmq: newPassword(),
  redis: newPassword(),
});

/**
 * What a platform keeps: what it has been given so far, and fresh values for what is new.
 *
 * @param {string} folder
 */
export function keptSecrets(folder) {
  const file = path.join(folder, 'secrets.json');
  const kept = readPrivate(file) ?? { services: keptBefore(folder) };
  const secrets = {
    services: { ...newSecrets(), ...kept.services },
    stores: { ...newStorePasswords(), ...kept.stores },
    rotating: /** @type {Record<string, Step>} */ (kept.rotating ?? {}),
  };
  writePrivate(file, secrets);
  return secrets;
}

/** @typedef {'added' | 'swapped' | 'removed'} Step of the way to another key: the new one is read, is used, is the only one */

/** Keys that services read two of, so that at no time one meets what it cannot read (README.md, "Rotate keys"). */
export const ROTATED = /** @type {const} */ (['JWT_SECRET', 'SECRETS_KEY']);

/**
 * Takes a key one step further on its way to another one. After each step those that read it are to be started anew.
 *
 * @param {string} folder
 * @param {typeof ROTATED[number]} name
 * @returns {Step}
 */
export function rotateKey(folder, name) {
  const secrets = keptSecrets(folder);
  const services = /** @type {Record<string, string>} */ (secrets.services);
  const previous = `${name}_PREVIOUS`;
  const [step, change] = nextStep(secrets.rotating[name], {
    now: services[name] ?? '',
    other: services[previous] || newSecrets()[name],
  });
  writePrivate(path.join(folder, 'secrets.json'), {
    ...secrets,
    services: { ...services, [name]: change.now, [previous]: change.other },
    rotating: { ...secrets.rotating, [name]: step },
  });
  return step;
}

/** @param {Step | undefined} last @param {{ now: string, other: string }} keys @returns {[Step, { now: string, other: string }]} */
function nextStep(last, { now, other }) {
  if (last === 'added') return ['swapped', { now: other, other: now }];
  if (last === 'swapped') return ['removed', { now, other: '' }];
  return ['added', { now, other }];
}

/**
 * One file for each secret, as volumes made by earlier versions hold them.
 *
 * @param {string} folder
 */
function keptBefore(folder) {
  const names = Object.keys(newSecrets());
  return Object.fromEntries(
    names.flatMap((name) => {
      const file = path.join(folder, name);
      return existsSync(file) ? [[name, readFileSync(file, 'utf8').trim()]] : [];
    }),
  );
}

/**
 * Files by container: what is in them and whose they are.
 *
 * @param {ReturnType<typeof keptSecrets>} secrets
 * @returns {Record<string, { owner: number, files: Record<string, string> }>}
 */
export function secretFiles({ services, stores }) {
  const known = /** @type {Record<string, string>} */ ({
    ...services,
    MONGODB_URI: `mongodb://laurel:${stores.mongodb}@mongo:27017/?replicaSet=rs0&authSource=admin`,
    RABBITMQ_URL: `amqp://laurel:${stores.rabbitmq}@rabbitmq:5672`,
    REDIS_URL: `redis://:${stores.redis}@redis:6379`,
  });
  // There is a second key only while one is replaced: an empty file is a setting that is not set.
  const pick = (/** @type {readonly string[]} */ names) =>
    Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
  return {
    ...Object.fromEntries(
      Object.entries(SECRETS_OF).map(([name, names]) => [
        name,
        { owner: NODE, files: pick(names) },
      ]),
    ),
    mongo: {
      owner: STORES,
      files: { root: stores.mongodbRoot, laurel: stores.mongodb, keyfile: stores.mongodbKeyFile },
    },
    rabbitmq: {
      owner: STORES,
      files: {
        'laurel.conf': `default_user = laurel\ndefault_pass = ${stores.rabbitmq}\nlog.console = true\n`,
      },
    },
    redis: { owner: STORES, files: { 'redis.conf': `requirepass ${stores.redis}\n` } },
  };
}

/**
 * Writes them, each container's into a folder of its name that only its user reads.
 *
 * @param {ReturnType<typeof secretFiles>} containers
 * @param {string} folder
 */
export function handOut(containers, folder) {
  for (const [container, { owner, files }] of Object.entries(containers)) {
    const place = path.join(folder, container);
    mkdirSync(place, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(place, name);
      writeFileSync(file, text);
      chmodSync(file, 0o400);
      chownSync(file, owner, owner);
    }
    chmodSync(place, 0o500);
    chownSync(place, owner, owner);
  }
}

/**
 * Folders that the services write into.
 *
 * @param {string[]} folders
 */
export function giveToServices(folders) {
  for (const folder of folders) chownSync(folder, NODE, NODE);
}
