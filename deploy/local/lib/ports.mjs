// Finding free TCP ports and waiting for somebody to listen on one.
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const QUIET = { from: 10_000, to: 32_000 };

/**
 * Where the caller that is given a port says so for as long as its process lives: before its server listens nothing else tells
 * that the port is taken, and of two platforms that start at one moment the later would talk to the database of the
 * other. Linux has names that are no files, go with their process and are as wide as ports; elsewhere it is a file.
 *
 * @param {number} port
 */
const claimOf = (port) => {
  const name = `laurel-port-${port}`;
  return process.platform === 'linux' ? `\0${name}` : path.join(tmpdir(), `${name}.sock`);
};

/**
 * @param {number} port
 * @returns {Promise<net.Server | undefined>} what holds the claim; nothing where another Laurel, or another caller, has it
 */
async function claim(port) {
  const place = claimOf(port);
  const held = await listen({ path: place });
  if (held || place.startsWith('\0') || (await isListening({ path: place }))) return held;
  // Left by a process that is gone.
  rmSync(place, { force: true });
  return listen({ path: place });
}

/**
 * @param {net.ListenOptions} options
 * @returns {Promise<net.Server | undefined>} nothing when somebody else listens there
 */
function listen(options) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
      // Where the kernel has no IPv6, every interface is every one of IPv4.
      const isWithout = code === 'EAFNOSUPPORT' && options.host === '::';
      resolve(isWithout ? listen({ ...options, host: '0.0.0.0' }) : undefined);
    });
    server.listen({ ...options, exclusive: true }, () => resolve(server.unref()));
  });
}

/**
 * Takes a port for this process; from then on no other Laurel of this machine is given it.
 *
 * @param {number} port
 * @param {string} host where it will be listened on
 * @returns {Promise<boolean>} whether it was free
 */
async function take(port, host) {
  const held = await claim(port);
  if (!held) return false;
  const server = await listen({ port, host });
  const closed = server ?? held;
  await new Promise((resolve) => closed.close(resolve));
  return server !== undefined;
}

/**
 * The wanted port, or the next free one after it.
 *
 * @param {number} wanted
 * @param {string} [host] where it will be listened on
 */
export async function freePortFrom(wanted, host = '127.0.0.1') {
  for (let port = wanted; port < Math.min(wanted + 200, 65_536); port += 1) {
    if (await take(port, host)) return port;
  }
  throw new Error(`no free port from ${wanted} on`);
}

/**
 * Any free port of the loopback interface, below those that systems lend to outgoing connections (from 32 768 on): a
 * process that is killed must find its port free when it is started again.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(QUIET.from, QUIET.to);
    if (await take(port, '127.0.0.1')) return port;
  }
}

/**
 * @param {number | { path: string }} place a port of the loopback interface, or a socket
 * @returns {Promise<boolean>} whether somebody accepts connections there
 */
export function isListening(place) {
  return new Promise((resolve) => {
    const socket = net.connect(
      typeof place === 'number' ? { port: place, host: '127.0.0.1' } : place,
    );
    const settle = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** How long what is still alive may take to be ready: on a machine with much else to do, minutes. */
export const PATIENCE_MS = 300_000;

/**
 * Polls until the check says yes.
 *
 * @param {() => boolean | Promise<boolean>} check
 * @param {{ what: string, withinMs: number, stillPossible?: () => boolean, hint?: string }} options
 *   `stillPossible` ends the wait early, for instance when the process that should answer has died
 */
export async function waitUntil(check, { what, withinMs, stillPossible = () => true, hint = '' }) {
  const deadline = Date.now() + withinMs;
  while (!(await check())) {
    if (!stillPossible()) throw new Error(`${what} ended while starting. ${hint}`.trim());
    if (Date.now() > deadline) {
      throw new Error(
        `${what} was not ready after ${Math.round(withinMs / 1000)} s. ${hint}`.trim(),
      );
    }
    await delay(50);
  }
}
