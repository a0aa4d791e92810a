// Somebody else's webhook receiver: checks every signature as Standard Webhooks has it, and keeps count.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { serveStatuses } from '../lib/listen.mjs';
import { canariesIn } from './traces.mjs';

/** @typedef {import('./checker/world.mjs').Received} Received */
/** @typedef {Awaited<ReturnType<typeof openSink>>} Sink */

/**
 * What an event carried, in a few bytes: equal for the broker and for a webhook when nothing was altered.
 *
 * @param {unknown} data
 */
export const digestOf = (data) =>
  createHash('sha256').update(JSON.stringify(data)).digest('base64').slice(0, 16);

/**
 * @param {string} secret `whsec_...`
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} body
 */
export function isSigned(secret, headers, body) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => {
      const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}

export async function openSink() {
  /** @type {Map<string, { id: string, secret: string, workspaceId: string }>} */
  const endpoints = new Map();
  /** @type {Map<string, Received>} */
  const received = new Map();
  /** Whom a workspace's receiver heard of. @type {Map<string, import('./checker/world.mjs').Trace>} */
  const traces = new Map();

  /** @param {string} path @param {import('node:http').IncomingHttpHeaders} headers @param {string} body */
  function receive(path, headers, body) {
    const endpoint = endpoints.get(path);
    if (!endpoint) return 404;
    const { data, workspace_id: workspaceId } = JSON.parse(body);
    const eventId = String(headers['webhook-id']);
    for (const canary of canariesIn(body))
      traces.set(`${canary} ${endpoint.workspaceId}`, {
        canary,
        place: 'the receiver of webhooks',
        workspaceId: endpoint.workspaceId,
      });
    const key = `${endpoint.id} ${eventId}`;
    const known = received.get(key) ?? {
      webhookId: endpoint.id,
      eventId,
      workspaceId,
      digest: digestOf(data),
      copies: 0,
      forged: 0,
    };
    known.copies += 1;
    if (!isSigned(endpoint.secret, headers, body)) known.forged += 1;
    received.set(key, known);
    return 204;
  }

  const { url: address, close } = await serveStatuses(({ url, headers }, body) =>
    receive(String(url), headers, body),
  );

  let opened = 0;

  return {
    /** An address of its own for one webhook; `trust` says which webhook it is, and its secret. */
    open() {
      opened += 1;
      const path = `/${opened}`;
      return {
        url: `${address}${path}`,
        /** @param {string} id @param {string} secret @param {string} workspaceId */
        trust: (id, secret, workspaceId) => void endpoints.set(path, { id, secret, workspaceId }),
      };
    },
    received: () => [...received.values()],
    traces: () => [...traces.values()],
    close,
  };
}
