// The database: the first of these that this machine can have. A mongod on the PATH, one downloaded from MongoDB, and
// on Debian and Ubuntu the DocumentDB engine behind our own gateway for the MongoDB wire protocol.
import path from 'node:path';
import {
  detectMongod,
  installDocumentdb,
  isInstalled,
  startDocumentdb,
  startGateway,
  startMongod,
} from '../documentdb.mjs';
import { isDebianLike, isRoot } from './debian.mjs';
import { downloadedMongod, downloadMongod } from './mongodb-download.mjs';
import { LOCAL } from './paths.mjs';
import { SetupError, say, step } from './progress.mjs';

/** Installed once and used by every instance. */
const MONGODB_FOLDER = path.join(LOCAL, 'mongodb');
const ENGINE_ROOT = path.join(LOCAL, 'engine');

/** A server of MongoDB's own, where there is one. */
const mongodBinary = () => detectMongod() ?? downloadedMongod(MONGODB_FOLDER);

/** Gets a database onto this machine where there is none. */
export async function installMongodb() {
  // The engine, once installed, holds the data: looking further would start with an empty database.
  if (mongodBinary() || isInstalled(ENGINE_ROOT)) return;
  if (await downloadMongod({ folder: MONGODB_FOLDER })) return;
  await installEngine();
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
  await step(
    'Installing the DocumentDB engine, which stands in for MongoDB (about a minute, once)',
    () => installDocumentdb({ root: ENGINE_ROOT, progress: (line) => say(`    ${line}`) }),
    ({ version }) => `DocumentDB engine ${version} installed`,
  );
}

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {import('./infrastructure.mjs').Place} place
 * @param {import('./infrastructure.mjs').PortLike} portLike
 * @returns {Promise<{ MONGODB_URI: string, DOCUMENTDB_ENGINE_SOCKET?: string }>} the engine's socket is for tests of
 *   the gateway in front of it
 */
export async function startMongodb(supervisor, place, portLike) {
  const port = await portLike(27_017);
  const binary = mongodBinary();
  return binary
    ? startServer(supervisor, place, port, binary)
    : startEngine(supervisor, place, port);
}

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {import('./infrastructure.mjs').Place} place
 * @param {number} port
 * @param {string} binary
 */
async function startServer(supervisor, place, port, binary) {
  return step(
    `Starting MongoDB (${binary})`,
    async () => {
      const start = () => startMongod({ ...place('mongod'), binary, port });
      const { uri } = await supervisor.add({ name: 'mongod', stage: 1, start });
      return { MONGODB_URI: uri };
    },
    () => `MongoDB on port ${port}`,
  );
}

/**
 * @param {import('./supervisor.mjs').Supervisor} supervisor
 * @param {import('./infrastructure.mjs').Place} place
 * @param {number} port
 */
async function startEngine(supervisor, place, port) {
  return step(
    'Starting the DocumentDB engine and its MongoDB wire gateway (no MongoDB found)',
    async () => {
      const start = () => startDocumentdb({ root: ENGINE_ROOT, ...place('documentdb') });
      const { socketDir, socket } = await supervisor.add({
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
      return { MONGODB_URI: uri, DOCUMENTDB_ENGINE_SOCKET: socket };
    },
    () => `DocumentDB speaking the MongoDB protocol on port ${port}`,
  );
}
