// The network between the services and their servers, which can be harmed apart from both.
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { listenLocally } from './listen.mjs';

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
 * @param {number} [lateMs] how much later all comes, one way, as from another machine
 * @returns {Promise<{ urls: import('../../deploy/local/lib/infrastructure.mjs').Urls, harm: (server: string, harm: Harm, forMs: number) => Promise<boolean>, close: () => void }>}
 *   `urls` lead to the servers by way of the links
 */
export async function openLinks(urls, lateMs = 0) {
  const opened = await Promise.all(
    SETTINGS.map(async ([setting, servers]) => ({
      setting,
      servers,
      link: await openLink(urls[setting], lateMs),
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

/**
 * As `openLinks`, on a thread of its own, which takes no time from what is measured here.
 *
 * @param {import('../../deploy/local/lib/infrastructure.mjs').Urls} urls
 * @param {number} lateMs
 * @returns {Promise<{ urls: import('../../deploy/local/lib/infrastructure.mjs').Urls, close: () => Promise<unknown> }>}
 */
export function openLinksApart(urls, lateMs) {
  const worker = new Worker(new URL('./links-thread.mjs', import.meta.url), {
    workerData: { urls, lateMs },
  });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (linked) => {
      worker.unref();
      resolve({ urls: linked, close: () => worker.terminate() });
    });
  });
}

/** @param {string} to @param {number} [lateMs] one way @param {(ms: number) => Promise<unknown>} [last] for as long as a harm @returns {Promise<Link & { close: () => void }>} */
export async function openLink(to, lateMs = 0, last = pause) {
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
      const at = performance.now() + (suffering === 'slow' ? SLOW_MS : lateMs);
      sending = sending.then(async () => {
        const inMs = at - performance.now();
        if (inMs > 0.5) await pause(inMs);
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
      await last(forMs);
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
