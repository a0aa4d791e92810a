// Runs the DocumentDB engine (PostgreSQL with the documentdb extension) from its private root directory.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInstalled } from './install.mjs';
import { querySocket } from './postgres-client.mjs';
import {
  canMount,
  DEFAULT_ROOT,
  INNER_ENV,
  insideRoot,
  KEPT_FOLDER,
  postgresUser,
} from './root.mjs';
import { isAlive, launch, stopProcess, waitFor } from './server-process.mjs';

const BIN = '/usr/lib/postgresql/18/bin';
const SOCKET_PORT = 5432;
const SOCKET_PATH_LIMIT = 100; // sockaddr_un holds 108 bytes
const READY_MS = 60_000;
const EXTENSIONS = ['documentdb', 'documentdb_extended_rum'];

/**
 * @typedef {{ root?: string, dataDir: string, port?: number, socketDir?: string, logFile?: string }} Options
 * @typedef {{ pid: number, port: number, socketDir: string, socket: string, stop: () => Promise<void> }} Running
 */

/**
 * Starts an engine on `dataDir`, made on first use. Several may run from one root, each on its own data.
 * It listens on a unix socket only readable by root; with `port` on 127.0.0.1 too, without a password.
 * @param {Options} options
 * @returns {Promise<Running>}
 * @throws {Error} when the engine is not installed, runs already on that data, or does not get ready
 */
export async function startDocumentdb(options) {
  const running = await startServer(options, extensionSettings);
  try {
    for (const extension of EXTENSIONS)
      await querySocket(running.socket, `create extension if not exists ${extension} cascade`);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

/**
 * The same PostgreSQL without the extension, for programs that want tables: durable as the engine is, with as much memory.
 * @param {Options} options
 * @returns {Promise<Running>}
 * @throws {Error} as `startDocumentdb` does
 */
export const startPostgres = (options) => startServer(options, () => ({}));

/**
 * @param {Options} options
 * @param {(innerSocketDir: string) => Record<string, string | number>} moreSettings
 * @returns {Promise<Running>}
 */
async function startServer(
  { root = DEFAULT_ROOT, dataDir, port, socketDir, logFile },
  moreSettings,
) {
  const user = isInstalled(root) && postgresUser(root);
  if (!user) throw new Error(`No database engine in ${root}: call installDocumentdb first`);
  const place = locate(root, path.resolve(dataDir), socketDir, port ?? SOCKET_PORT);
  const log = logFile ?? path.join(place.data, 'engine.log');
  prepareFolders(place, user);
  assertNotRunning(place.cluster);
  initialise(root, place, user, log);
  const settings = { ...serverSettings(place, port), ...moreSettings(place.innerSocketDir) };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [`${BIN}/postgres`, '-D', `${place.inner}/cluster`, ...given];
  const { file, args } = insideRoot(root, command, { user, binds: place.binds });
  const { pid, exited } = launch(file, args, { logFile: log, env: INNER_ENV, cwd: '/' });
  const stop = () => stopProcess(pid, { signal: 'SIGINT', grace: 15_000, force: 'SIGQUIT' });
  try {
    const options = { timeout: READY_MS, what: 'The database engine', exited, logFile: log };
    await waitFor(() => querySocket(place.socket, "select 'ready'"), options);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, port: place.port, socketDir: place.socketDir, socket: place.socket, stop };
}

/** Where the data lies, seen from here and from inside the root. */
function locate(root, dataDir, wantedSocketDir, port) {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const mounted = canMount();
  const data = mounted ? dataDir : path.join(root, KEPT_FOLDER, name);
  const inner = mounted ? '/srv/laurel' : `/${KEPT_FOLDER}/${name}`;
  const socketName = `.s.PGSQL.${port}`;
  let socketDir = wantedSocketDir ?? path.join(data, 'run');
  if (path.join(socketDir, socketName).length > SOCKET_PATH_LIMIT) {
    socketDir = path.join(os.tmpdir(), `laurel-${name}`);
  }
  /** @type {Array<[from: string, to: string]>} */
  const binds = [
    [data, 'srv/laurel'],
    [socketDir, 'srv/laurel-run'],
  ];
  return {
    data,
    inner,
    port,
    cluster: path.join(data, 'cluster'),
    socketDir: mounted ? socketDir : path.join(data, 'run'),
    innerSocketDir: mounted ? '/srv/laurel-run' : `${inner}/run`,
    socket: path.join(mounted ? socketDir : path.join(data, 'run'), socketName),
    binds: mounted ? binds : [],
  };
}

function prepareFolders({ data, cluster, socketDir }, { uid, gid }) {
  fs.mkdirSync(data, { recursive: true });
  fs.chmodSync(data, 0o711); // the server's account has to pass through, not to look around
  for (const folder of [cluster, socketDir]) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.chownSync(folder, uid, gid);
    fs.chmodSync(folder, 0o700);
  }
}

function assertNotRunning(cluster) {
  const lock = path.join(cluster, 'postmaster.pid');
  if (!fs.existsSync(lock)) return;
  const pid = Number.parseInt(fs.readFileSync(lock, 'utf8'), 10);
  const program = isAlive(pid) ? fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1') : '';
  if (program.includes('postgres')) {
    throw new Error(`A database engine (pid ${pid}) already runs on ${cluster}`);
  }
}

/** Makes the cluster once; the marker is written after it, so a half-made one is made again. */
function initialise(root, place, user, logFile) {
  const marker = path.join(place.data, 'initialised');
  if (fs.existsSync(marker)) return;
  for (const entry of fs.readdirSync(place.cluster)) {
    fs.rmSync(path.join(place.cluster, entry), { recursive: true, force: true });
  }
  const command = [
    `${BIN}/initdb`,
    '-D',
    `${place.inner}/cluster`,
    '-U',
    'postgres',
    '-A',
    'trust',
  ];
  const { file, args } = insideRoot(root, [...command, '-E', 'UTF8', '--locale=C.UTF-8'], {
    user,
    binds: place.binds,
  });
  const made = spawnSync(file, args, { env: INNER_ENV, cwd: '/', encoding: 'utf8' });
  fs.appendFileSync(logFile, `${made.stdout}${made.stderr}`);
  if (made.status !== 0) throw new Error(`The database could not be created:\n${made.stderr}`);
  fs.writeFileSync(marker, '');
}

/** Durability stays at PostgreSQL's defaults (fsync and synchronous_commit on). */
function serverSettings({ innerSocketDir, port }, tcpPort) {
  return {
    listen_addresses: tcpPort ? '127.0.0.1' : '',
    port,
    unix_socket_directories: innerSocketDir,
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    jit: 'off',
    // Two inserts of one unique key can wait for each other here, which MongoDB never does: find that out at once.
    deadlock_timeout: '30ms',
    idle_in_transaction_session_timeout: '90s',
    // A client that went away must not keep a backend waiting for a lock.
    client_connection_check_interval: '2s',
    // The wire gateway reports failed statements to its client; the log is for the server's own troubles.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_timezone: 'UTC',
  };
}

/** @param {string} innerSocketDir */
function extensionSettings(innerSocketDir) {
  return {
    shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb,pg_documentdb_extended_rum',
    // Indexes that give documents in their order and count without looking at them, as MongoDB's do. With the
    // default kind, the first page of a list reads and sorts all that the list holds.
    'documentdb.alternate_index_handler_name': 'extended_rum',
    'cron.database_name': 'postgres',
    'cron.host': innerSocketDir,
    // The extension calls itself back for work outside of the caller's transaction (making a collection).
    'documentdb.localhost_connection_string': `host=${innerSocketDir}`,
    // Cursors that outlive their statement are kept in files, cleaned up ten minutes after they were last asked.
    'documentdb.defaultCursorExpiryTimeLimitSeconds': 600,
    'cron.log_run': 'off',
    'cron.log_statement': 'off',
  };
}
