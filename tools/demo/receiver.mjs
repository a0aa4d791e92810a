// The chain's own server, to which the platform's webhooks go: it believes nothing that is not signed.

import { setTimeout as pause } from 'node:timers/promises';
import { verifyWebhook } from '@laurel/client';
import { serveStatuses } from '../lib/listen.mjs';

/** @typedef {Awaited<ReturnType<typeof openReceiver>>} Receiver */

const LOOK_EVERY_MS = 100;

export async function openReceiver() {
  let secret = '';
  let forged = 0;
  let copies = 0;
  /** @type {Map<string, number>} */
  const byType = new Map();
  /** @type {Set<string>} */
  const seen = new Set();

  const server = await serveStatuses(async ({ headers }, body) => {
    const event = await verifyWebhook(body, headers, secret).catch(() => undefined);
    if (!event) forged += 1;
    else note(String(headers['webhook-id']), event.type);
    return 204;
  });
  /** @param {string} id @param {string} type */
  function note(id, type) {
    if (seen.has(id)) copies += 1;
    else byType.set(type, (byType.get(type) ?? 0) + 1);
    seen.add(id);
  }
  /** Deliveries of types that begin so. @param {string} prefix */
  function heardOf(prefix) {
    const moved = [...byType].filter(([type]) => type.startsWith(prefix));
    return moved.reduce((sum, [, count]) => sum + count, 0);
  }

  return {
    url: `${server.url}/webhooks`,
    /** @param {string} given `whsec_...` */
    trust(given) {
      secret = given;
    },
    counts: () => ({ arrived: seen.size, forged, copies }),
    heardOf,
    /**
     * Waits for so many deliveries of types that begin so while any still come; gives up after `quietMs` without one.
     *
     * @param {string} prefix
     * @param {{ count: number, quietMs: number, onMore: (more: number) => void }} wanted
     */
    async until(prefix, { count, quietMs, onMore }) {
      let last = 0;
      let arrived = 0;
      for (let quietSince = performance.now(); performance.now() - quietSince < quietMs; ) {
        if (seen.size > arrived) quietSince = performance.now();
        arrived = seen.size;
        const heard = heardOf(prefix);
        onMore(heard - last);
        last = heard;
        if (heard >= count) return;
        await pause(LOOK_EVERY_MS);
      }
    },
    close: server.close,
  };
}
