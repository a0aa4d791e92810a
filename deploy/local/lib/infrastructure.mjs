// The three servers that the services need: which ones to start ourselves, installing them, starting them.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  detectMongod,
  installDocumentdb,
  isInstalled,
  startDocumentdb,
  startGateway,
  startMongod,
} from '../documentdb.mjs';
import { RABBITMQ_SERVER, startRabbitmq } from '../rabbitmq.mjs';
import { startRedis } from '../redis.mjs';
import { installDebianPackages, isDebianLike, isRoot } from './debian.mjs';
import { LOCAL } from './paths.mjs';
import { freePortFrom } from './ports.mjs';
import { SetupError, say, step } from './progress.mjs';

/** Debian of its own with the database engine, used by every instance. */
const ENGINE_ROOT = path.join(LOCAL, 'engine');

/** @typedef {Record<'MONGODB_URI' | 'RABBITMQ_URL' | 'REDIS_URL', string>} Urls */

/** Installs what is missing on this machine; nothing of it for a server whose URL is set. */
export async function installInfrastructure() {
  const programs = [
    {
      program: RABBITMQ_SERVER,
      package: 'rabbitmq-server',
      service: 'rabbitmq-server',
      urlSetting: 'RABBITMQ_URL',
    },
    {
      program: '/usr/bin/redis-server',
      package: 'redis-server',
      service: 'redis-server',
      urlSetting: 'REDIS_URL',
    },
  ];
  await installDebianPackages(
    programs.filter(({ program, urlSetting }) => !process.env[urlSetting] && !existsSync(program)),
  );
  // Afterwards, not beside it: both use the package manager, which serves one at a time.
  if (!process.env.MONGODB_URI && !detectMongod()) await installEngine();
}

async function installEngine() {
  const otherwise =
    'put mongod (MongoDB 7 or later) on the PATH, set MONGODB_URI to a replica set, or use docker compose up';
  if (!isDebianLike())
    throw new SetupError(`No MongoDB, and this is neither Debian nor Ubuntu: ${otherwise}.`);
  if (!isRoot())
    throw new SetupError(
      `No MongoDB, and installing the DocumentDB engine needs root: run as root, ${otherwise}.`,
    );
  if (isInstalled(ENGINE_ROOT)) return;
  await step(
    'Installing the DocumentDB engine, which stands in for MongoDB (about a minute, once)',
    () => installDocumentdb({ root: ENGINE_ROOT, progress: (line) => say(`    ${line}`) }),
    ({ version }) => `DocumentDB engine ${version} installed`,
  );
}

/**
 * Starts the servers whose URL is not set and waits until each answers.
 *
 * @param {{ instance: import('./paths.mjs').Instance, supervisor: import('./supervisor.mjs').Supervisor }} options
 * @returns {Promise<Urls>}
 */
export async function startInfrastructure({ instance, supervisor }) {
  mkdirSync(instance.logs, { recursive: true });
  const place = (/** @type {string} */ name) => ({
    dataDir: path.join(instance.data, name),
    logFile: path.join(instance.logs, `${name}.log`),
  });
  const [MONGODB_URI, RABBITMQ_URL, REDIS_URL] = await Promise.all([
    given('MONGODB_URI', 'MongoDB') ??
      (detectMongod() ? mongod(supervisor, place) : documentdb(supervisor, place)),
    given('RABBITMQ_URL', 'RabbitMQ') ?? rabbitmq(supervisor, place),
    given('REDIS_URL', 'Redis') ?? redis(supervisor, place),
  ]);
  return { MONGODB_URI, RABBITMQ_URL, REDIS_URL };
}

/**
 * @param {keyof Urls} setting
 * @param {string} what
 */
function given(setting, what) {
  const url = process.env[setting];
  if (url) say(`✓ ${what}: ${setting} is set, nothing to start`);
  return url;
}

/** @typedef {(name: string) => { dataDir: string, logFile: string }} Place where a server keeps its data and log */

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {Place} place
 */
async function mongod(supervisor, place) {
  const port = await freePortFrom(27_017);
  return step(
    'Starting MongoDB (mongod is on the PATH)',
    async () => {
      const start = () => startMongod({ ...place('mongod'), port });
      const { uri } = await supervisor.add({ name: 'mongod', stage: 1, start });
      return uri;
    },
    () => `MongoDB on port ${port}`,
  );
}

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {Place} place
 */
async function documentdb(supervisor, place) {
  const port = await freePortFrom(27_017);
  return step(
    'Starting the DocumentDB engine and its MongoDB wire gateway (no MongoDB found)',
    async () => {
      const start = () => startDocumentdb({ root: ENGINE_ROOT, ...place('documentdb') });
      const { socketDir } = await supervisor.add({
        name: 'documentdb',
        stage: 0,
        stopSignal: 'SIGINT',
        start,
      });
      const { logFile } = place('documentdb-gateway');
      const { uri } = await supervisor.add({
        name: 'documentdb-gateway',
        stage: 1,
        start: () => startGateway({ socketDir, port, logFile }),
      });
      return uri;
    },
    () => `DocumentDB speaking the MongoDB protocol on port ${port}`,
  );
}

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {Place} place
 */
async function rabbitmq(supervisor, place) {
  const port = await freePortFrom(5672);
  return step(
    'Starting RabbitMQ',
    async () => {
      const start = () => startRabbitmq({ ...place('rabbitmq'), port });
      const { url } = await supervisor.add({ name: 'rabbitmq', stage: 1, start });
      return url;
    },
    () => `RabbitMQ on port ${port}`,
  );
}

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {Place} place
 */
async function redis(supervisor, place) {
  const port = await freePortFrom(6379);
  return step(
    'Starting Redis',
    async () => {
      const start = () => startRedis({ ...place('redis'), port });
      const { url } = await supervisor.add({ name: 'redis', stage: 1, start });
      return url;
    },
    () => `Redis on port ${port}`,
  );
}
