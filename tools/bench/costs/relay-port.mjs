import { connect, createServer } from 'node:net';
import { listenLocally } from '../../lib/listen.mjs';

/**
 * Stands before a server: everything goes through unchanged, and is shown on its way.
 *
 * @param {{ host: string, port: number }} server
 * @param {() => { sent: (chunk: Buffer) => void, answered: (chunk: Buffer) => void }} openWatch for a new connection
 * @returns {Promise<{ port: number, close: () => void }>}
 */
export async function openRelayPort(server, openWatch) {
  /** @type {Set<import('node:net').Socket>} */
  const open = new Set();
  const listener = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...server, noDelay: true });
    const watch = openWatch();
    near.on('data', (chunk) => watch.sent(/** @type {Buffer} */ (chunk)));
    far.on('data', (chunk) => watch.answered(/** @type {Buffer} */ (chunk)));
    near.pipe(far);
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      open.add(/** @type {import('node:net').Socket} */ (one));
      one?.on('error', () => other?.destroy());
      one?.on('close', () => {
        open.delete(/** @type {import('node:net').Socket} */ (one));
        other?.destroy();
      });
    }
  });
  const port = await listenLocally(listener);
  return {
    port,
    close: () => {
      listener.close();
      for (const socket of open) socket.destroy();
    },
  };
}
