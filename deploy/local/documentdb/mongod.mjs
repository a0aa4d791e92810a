// Runs a real MongoDB server, where the machine has one, as a replica set of one node (transactions need that).
import fs from 'node:fs';
import path from 'node:path';
import { freePort, launch, stopProcess, waitFor } from './server-process.mjs';
import { runCommand } from './wire.mjs';

const READY_MS = 60_000;
const ALREADY_INITIALIZED = 23;

/** @returns {string | null} path of a `mongod` on the PATH */
export function detectMongod() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const candidates = folders.map((folder) => path.join(folder, 'mongod'));
  return candidates.find((file) => isExecutable(file)) ?? null;
}

/**
 * Starts a `mongod` on 127.0.0.1 and returns once it accepts writes.
 * @param {{ binary?: string | null, dataDir: string, port?: number, logFile: string }} options `port` defaults to a free one
 * @returns {Promise<{ pid: number, port: number, uri: string, stop: () => Promise<void> }>}
 * @throws {Error} when there is no `mongod`, or it does not get ready
 */
export async function startMongod({ binary = detectMongod(), dataDir, port, logFile }) {
  if (!binary) throw new Error('No mongod on the PATH');
  fs.mkdirSync(dataDir, { recursive: true });
  const listenPort = port ?? (await freePort());
  const host = `127.0.0.1:${listenPort}`;
  const args = [
    '--replSet',
    'rs0',
    '--bind_ip',
    '127.0.0.1',
    '--port',
    String(listenPort),
    '--dbpath',
    dataDir,
  ];
  const { pid, exited } = launch(binary, args, { logFile });
  const stop = () => stopProcess(pid, { grace: 15_000 });
  const options = { timeout: READY_MS, what: 'mongod', exited, logFile };
  try {
    await waitFor(() => runCommand(listenPort, { ping: 1 }), options);
    await initiate(listenPort, host);
    await waitFor(
      async () => (await runCommand(listenPort, { hello: 1 })).isWritablePrimary,
      options,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid,
    port: listenPort,
    uri: `mongodb://${host}/?replicaSet=rs0&directConnection=true`,
    stop,
  };
}

async function initiate(port, host) {
  const config = { _id: 'rs0', members: [{ _id: 0, host }] };
  const reply = await runCommand(port, { replSetInitiate: config }, 30_000);
  if (reply.ok === 1 || reply.code === ALREADY_INITIALIZED) return;
  throw new Error(`mongod refused replSetInitiate: ${reply.errmsg}`);
}

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
