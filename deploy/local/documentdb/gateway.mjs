// Starts the wire gateway that lets MongoDB drivers talk to the engine.
import fs from 'node:fs';
import path from 'node:path';
import { runtimeFor } from '../lib/runtime.mjs';
import { GATEWAY_MAIN } from './root.mjs';
import { freePort, launch, stopProcess, waitFor } from './server-process.mjs';
import { runCommand } from './wire.mjs';

const READY_MS = 20_000;

/**
 * Starts a gateway process on 127.0.0.1 and waits until it answers a hello.
 * @param {{ socketDir?: string, enginePort?: number, port?: number, logFile: string, env?: Record<string, string> }} options
 *   the engine is found by its socket in `socketDir`, without it on 127.0.0.1:`enginePort`; `port` defaults to a free one
 * @returns {Promise<{ pid: number, port: number, uri: string, stop: () => Promise<void> }>} `uri` carries the options a client needs
 * @throws {Error} when the package is not built or the gateway does not get ready
 */
export async function startGateway({ socketDir, enginePort = 5432, port, logFile, env = {} }) {
  if (!fs.existsSync(GATEWAY_MAIN)) {
    throw new Error(`${GATEWAY_MAIN} is missing: build the packages first (npm run build)`);
  }
  const listenPort = port ?? (await freePort());
  const engine = socketDir
    ? { DOCUMENTDB_ENGINE_SOCKET: path.join(socketDir, `.s.PGSQL.${enginePort}`) }
    : { DOCUMENTDB_ENGINE_HOST: '127.0.0.1', DOCUMENTDB_ENGINE_PORT: String(enginePort) };
  const { pid, exited } = launch(runtimeFor(), [GATEWAY_MAIN], {
    logFile,
    env: { ...process.env, ...engine, DOCUMENTDB_GATEWAY_PORT: String(listenPort), ...env },
  });
  const stop = () => stopProcess(pid, { grace: 10_000 });
  try {
    const options = { timeout: READY_MS, what: 'The wire gateway', exited, logFile };
    await waitFor(async () => (await runCommand(listenPort, { hello: 1 }, 1000)).ok === 1, options);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, port: listenPort, uri: gatewayUri(listenPort), stop };
}

/**
 * The address to give to a driver. Without `retryWrites=false` a driver repeats a write whose answer it lost when
 * the gateway died, and the gateway cannot know after a restart that it was done (see the gateway's README).
 * @param {number} port
 * @returns {string}
 */
export function gatewayUri(port) {
  return `mongodb://127.0.0.1:${port}/?retryWrites=false`;
}
