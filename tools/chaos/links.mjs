// The network between the services and their servers, which can be harmed apart from both.
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listenLocally } from '../lib/listen.mjs';

/**
 * @typedef {'cut' | 'stall' | 'lose replies' | 'slow'} Harm every connection is reset and none comes about; nothing passes
 *   and neither side hears of it, until the connections end; what is asked arrives and what is answered does not, until the same; all
 *   comes late
 * @typedef {{ url: string, harm: (harm: Harm, forMs: number) => Promise<boolean> }} Link `harm` resolves when it is over;
 *   false where there was no connection
 */

/** One way there; both ways make a round trip slower by twice as much. */
const SLOW_MS = 150;

/** What stands for a server in the plan of faults. @type {[setting: 'MONGODB_URI' | 'RABBITMQ_URL' | 'REDIS_URL', servers: string[]][]} */
const SETTINGS = [
  ['MONGODB_URI', ['documentdb-gateway', 'mongod']],
  ['RABBITMQ_URL', ['rabbitmq']],
  ['REDIS_URL', ['redis']],
];

/**
 * @param {import('../../deploy/local/lib/infrastructure.mjs').Urls} urls of the servers
 * @returns {Promise<{ urls: import('../../deploy/local/lib/infrastructure.mjs').Urls, harm: (server: string, harm: Harm, forMs: number) => Promise<boolean>, close: () => void }>}
 *   `urls` lead to the servers by way of the links
 */
export async function openLinks(urls) {
  const opened = await Promise.all(
    SETTINGS.map(async ([setting, servers]) => ({
      setting,
      servers,
      link: await openLink(urls[setting]),
    })),
  );
  return {
    urls: {
      ...urls,
      ...Object.fromEntries(opened.map(({ setting, link }) => [setting, link.url])),
    },
    harm: async (server, harm, forMs) =>
      (await opened.find(({ servers }) => servers.includes(server))?.link.harm(harm, forMs)) ??
      false,
    close: () => {
      for (const { link } of opened) link.close();
    },
  };
}

/** @param {string} to @returns {Promise<Link & { close: () => void }>} */
export async function openLink(to) {
  const target = new URL(to);
  /** @type {Set<{ near: net.Socket, far: net.Socket }>} */
  const pairs = new Set();
  /** @type {Harm | null} */
  let suffering = null;
  let harms = 0;

  const server = net.createServer({ noDelay: true }, (near) => {
    if (suffering === 'cut') return void near.resetAndDestroy();
    const far = net.connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    const pair = { near, far };
    pairs.add(pair);
    carry(near, far, () => suffering === 'stall');
    carry(far, near, () => suffering === 'stall' || suffering === 'lose replies');
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
  });

  /** @param {net.Socket} from @param {net.Socket} onto @param {() => boolean} isLost */
  function carry(from, onto, isLost) {
    // What was sent later never comes earlier.
    let sending = Promise.resolve();
    from.on('data', (bytes) => {
      if (isLost()) return;
      const at = suffering === 'slow' ? performance.now() + SLOW_MS : 0;
      sending = sending.then(async () => {
        const inMs = at - performance.now();
        if (inMs > 0) await pause(inMs);
        if (onto.writable) onto.write(bytes);
      });
    });
    from.on('end', () => void sending.then(() => onto.end()));
  }

  function reset() {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  const port = await listenLocally(server);
  const near = new URL(to);
  near.hostname = '127.0.0.1';
  near.port = String(port);
  return {
    url: near.href,
    async harm(harm, forMs) {
      const met = pairs.size > 0;
      suffering = harm;
      harms += 1;
      const own = harms;
      if (harm === 'cut') reset();
      await pause(forMs);
      // One that began meanwhile goes on.
      if (own === harms) suffering = null;
      // Bytes are missing: no connection could go on with what comes next.
      if (harm === 'stall' || harm === 'lose replies') reset();
      return met;
    },
    close: () => {
      server.close();
      reset();
    },
  };
}
