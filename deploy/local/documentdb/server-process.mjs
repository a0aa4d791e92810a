// Starting, watching and stopping the processes behind the local database.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 40;

/**
 * Starts a process that outlives this one if need be, its output appended to a file.
 * @param {string} command
 * @param {string[]} args
 * @param {{ logFile: string, env?: NodeJS.ProcessEnv, cwd?: string }} options
 * @returns {{ pid: number, exited: () => string | null }} `exited` says how it ended, or null while it runs
 */
export function launch(command, args, { logFile, env = process.env, cwd }) {
  const log = fs.openSync(logFile, 'a');
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], env, cwd });
  fs.closeSync(log);
  /** @type {string | null} */
  let ending = null;
  child.on('error', (error) => {
    ending = error.message;
  });
  child.on('exit', (code, signal) => {
    ending = signal ?? `exit code ${code}`;
  });
  child.unref();
  return { pid: /** @type {number} */ (child.pid), exited: () => ending };
}

/**
 * Polls until `probe` answers something truthy.
 * @template T
 * @param {() => Promise<T> | T} probe an exception counts as "not yet"
 * @param {{ timeout: number, what: string, exited?: () => string | null, logFile?: string }} options timeout in milliseconds
 * @returns {Promise<T>} rejects when time is up or the process has ended, with the end of its log
 */
export async function waitFor(probe, { timeout, what, exited = () => null, logFile }) {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await Promise.resolve()
      .then(probe)
      .catch(() => undefined);
    if (answer) return answer;
    const ending = exited();
    if (ending) throw new Error(`${what} ended (${ending})${tail(logFile)}`);
    if (Date.now() > deadline)
      throw new Error(`${what} is not ready after ${timeout} ms${tail(logFile)}`);
    await delay(POLL_MS);
  }
}

/**
 * Ends a process and returns once it is gone.
 * @param {number} pid
 * @param {{ signal?: NodeJS.Signals, grace?: number, force?: NodeJS.Signals }} [options] `force` follows after `grace` milliseconds
 */
export async function stopProcess(
  pid,
  { signal = 'SIGTERM', grace = 10_000, force = 'SIGKILL' } = {},
) {
  if (!send(pid, signal)) return;
  const deadline = Date.now() + grace;
  while (isAlive(pid)) {
    if (Date.now() > deadline) send(pid, force);
    await delay(POLL_MS);
  }
}

/**
 * @param {number} pid
 * @returns {boolean} whether a process runs under it (a zombie does not)
 */
export function isAlive(pid) {
  try {
    const state = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !state.slice(state.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return process.platform !== 'linux' && send(pid, 0);
  }
}

/** @returns {Promise<number>} a TCP port on the loopback interface that was free a moment ago */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function tail(logFile) {
  if (!logFile || !fs.existsSync(logFile)) return '';
  const lines = fs.readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8);
  return `; the end of ${logFile}:\n${lines.join('\n')}`;
}
