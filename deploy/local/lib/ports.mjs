// Finding free TCP ports and waiting for somebody to listen on one.
import { randomInt } from 'node:crypto';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const QUIET = { from: 10_000, to: 32_000 };

/** Ports handed out by this process: two callers must not be given the same one before either listens. */
const handedOut = new Set();

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number | undefined>} the port, or nothing when it is taken
 */
function tryListen(port, host) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(address.port));
    });
  });
}

/**
 * The wanted port, or the next free one after it.
 *
 * @param {number} wanted
 * @param {string} [host] where it will be listened on
 */
export async function freePortFrom(wanted, host = '127.0.0.1') {
  for (let port = wanted; port < Math.min(wanted + 200, 65_536); port += 1) {
    if (handedOut.has(port) || !(await tryListen(port, host))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error(`no free port from ${wanted} on`);
}

/**
 * Any free port of the loopback interface, below those that systems lend to outgoing connections (from 32 768 on): a
 * process that is killed must find nobody there when it is started again.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(QUIET.from, QUIET.to);
    if (handedOut.has(port) || !(await tryListen(port, '127.0.0.1'))) continue;
    handedOut.add(port);
    return port;
  }
}

/**
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<boolean>} whether somebody accepts connections there
 */
export function isListening(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const settle = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

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
