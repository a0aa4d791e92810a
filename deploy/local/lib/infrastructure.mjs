// The three servers that the services need: which ones to start ourselves, installing them, starting them.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { rabbitmqServer, startRabbitmq, urlOfRabbitmq } from '../rabbitmq.mjs';
import { startRedis } from '../redis.mjs';
import { installDebianPackages } from './debian.mjs';
import { installMongodb, startMongodb } from './mongodb.mjs';
import { findOnPath } from './on-path.mjs';
import { freePort, freePortFrom } from './ports.mjs';
import { say, step } from './progress.mjs';

/**
 * What tells the services, and the tests, where the servers are.
 *
 * @typedef {Record<'MONGODB_URI' | 'RABBITMQ_URL' | 'REDIS_URL', string> & { DOCUMENTDB_ENGINE_SOCKET?: string }} Urls
 */

/** Installs what is missing on this machine; nothing of it for a server whose URL is set. */
export async function installInfrastructure() {
  const wanted = [
    { name: 'rabbitmq-server', urlSetting: 'RABBITMQ_URL', program: rabbitmqServer() },
    { name: 'redis-server', urlSetting: 'REDIS_URL', program: findOnPath('redis-server') },
  ];
  await installDebianPackages(
    wanted.filter(({ program, urlSetting }) => !process.env[urlSetting] && !program),
  );
  // Afterwards, not beside it: both use the package manager, which serves one at a time.
  if (!process.env.MONGODB_URI) await installMongodb();
}

/**
 * Starts the servers whose URL is not set. Resolves when store and Redis answer; the broker takes seconds longer, which
 * services use to load: `whole` is when it answers, too.
 *
 * @param {{ instance: import('./paths.mjs').Instance, supervisor: import('./supervisor.mjs').Supervisor }} options
 * @returns {Promise<{ urls: Urls, whole: Promise<unknown> }>}
 */
export async function startInfrastructure({ instance, supervisor }) {
  mkdirSync(instance.logs, { recursive: true });
  const place = (/** @type {string} */ name) => ({
    dataDir: path.join(instance.data, name),
    logFile: path.join(instance.logs, `${name}.log`),
  });
  // One that is killed must find its port again: on the usual ones another platform may have moved in.
  const portLike = (/** @type {number} */ usual) =>
    instance.usualPorts ? freePortFrom(usual) : freePort();
  const givenBroker = given('RABBITMQ_URL', 'RabbitMQ');
  const port = givenBroker ? undefined : await portLike(5672);
  const whole = port === undefined ? Promise.resolve() : rabbitmq(supervisor, place, port);
  const others = Promise.all([
    givenDatabase() ?? startMongodb(supervisor, place, portLike),
    given('REDIS_URL', 'Redis') ?? redis(supervisor, place, portLike),
  ]);
  // A broker that does not start ends the wait for the others, and the other way round.
  const [database, REDIS_URL] = await Promise.race([others, whole.then(() => others)]);
  const RABBITMQ_URL = givenBroker ?? urlOfRabbitmq(/** @type {number} */ (port));
  return { urls: { ...database, RABBITMQ_URL, REDIS_URL }, whole };
}

function givenDatabase() {
  const MONGODB_URI = given('MONGODB_URI', 'MongoDB');
  return MONGODB_URI ? { MONGODB_URI } : undefined;
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
/** @typedef {(usual: number) => Promise<number>} PortLike the port that a server gets, given the usual one */

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {Place} place
 * @param {number} port
 */
function rabbitmq(supervisor, place, port) {
  const start = () => startRabbitmq({ ...place('rabbitmq'), port });
  return step(
    'Starting RabbitMQ',
    () => supervisor.add({ name: 'rabbitmq', stage: 1, start }),
    () => `RabbitMQ on port ${port}`,
  );
}

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {Place} place
 * @param {PortLike} portLike
 */
async function redis(supervisor, place, portLike) {
  const port = await portLike(6379);
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
