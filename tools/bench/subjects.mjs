// What is measured of the platform: each subject is one kind of request through the gateway, on data of its own.

import { randomUUID } from 'node:crypto';
import { serveLocally } from '../lib/listen.mjs';
import { cpuSeconds, pause } from './load.mjs';

const CLIENTS = 500;

/**
 * @typedef {ReturnType<typeof import('./load.mjs').httpClient>} Http
 * @typedef {{ operation: (sequence: number) => Promise<unknown>, perCall?: number, oneByOne?: number }} Subject `oneByOne`: so many calls
 *   where costs are counted, never two at once
 * @typedef {{ token: string, workspace: string, clientIds: string[], hotClientId: string }} Scene
 */

/**
 * Makes the workspace that the subjects work in, through the public API alone.
 *
 * @param {Http} http
 * @param {number} [clients] a multiple of 25
 * @returns {Promise<Scene>}
 */
export async function prepareScene(http, clients = CLIENTS) {
  const email = `bench-${randomUUID()}@example.com`;
  const password = 'a bench needs no good password';
  await http.request('POST', '/auth/register', { body: { email, password } });
  const signedIn = await http.request('POST', '/auth/login', { body: { email, password } });
  const session = signedIn.data.access_token;
  const created = await http.request('POST', '/service-api/workspaces', {
    token: session,
    body: { name: 'Bench' },
  });
  const { token } = await http.request('POST', '/service-api/user/api-token/regenerate', {
    token: session,
    body: {},
  });
  const workspace = `/service-api/workspace/${created.data.id}`;
  await http.request('POST', `${workspace}/wallet-types`, {
    token,
    body: { code: 'points', name: 'Points' },
  });
  /** @type {string[]} */
  const clientIds = [];
  for (let number = 0; number < clients; number += 25) {
    const made = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        http.request('POST', `${workspace}/clients`, { token, body: newClient(number + index) }),
      ),
    );
    clientIds.push(...made.map((reply) => reply.data.id));
  }
  const hotClientId = /** @type {string} */ (clientIds.pop());
  const operations = [...clientIds, hotClientId].map((client_id) => ({
    op: 'earn',
    client_id,
    amount: 1_000_000,
  }));
  await http.request('POST', `${workspace}/loyalty/points/batch`, { token, body: { operations } });
  return { token, workspace, clientIds, hotClientId };
}

/** @param {number} number */
export const newClient = (number) => ({
  first_name: 'Ada',
  last_name: `Bench ${number}`,
  email: `${randomUUID()}@example.com`,
  loyalty_program_enabled: true,
});

/**
 * @param {Http} http
 * @param {Scene} scene
 * @returns {Record<string, Subject>}
 */
export function subjectsOf(http, { token, workspace, clientIds, hotClientId }) {
  /** @param {number} sequence */
  const clientOf = (sequence) => clientIds[sequence % clientIds.length];
  /**
   * @param {string} operation
   * @param {string | undefined} client_id
   * @param {number} sequence
   */
  const points = (operation, client_id, sequence) =>
    http.request('POST', `${workspace}/loyalty/points/${operation}`, {
      token,
      headers: keyOfHalf(sequence),
      body: { client_id, amount: 1, description: 'bench' },
    });
  return {
    earn: { operation: (sequence) => points('earn', clientOf(sequence), sequence) },
    spend: { operation: (sequence) => points('spend', clientOf(sequence), sequence) },
    'earn, one hot wallet': { operation: (sequence) => points('earn', hotClientId, sequence) },
    'spend, one hot wallet': { operation: (sequence) => points('spend', hotClientId, sequence) },
    'earn, batches of 100 (entries)': {
      perCall: 100,
      operation: (sequence) =>
        http.request('POST', `${workspace}/loyalty/points/batch`, {
          token,
          body: {
            operations: Array.from({ length: 100 }, (_, index) => ({
              op: 'earn',
              client_id: clientOf(sequence * 100 + index),
              amount: 1,
            })),
          },
        }),
    },
    'create client': {
      operation: (sequence) =>
        http.request('POST', `${workspace}/clients`, {
          token,
          headers: keyOfHalf(sequence),
          body: newClient(sequence),
        }),
    },
    'get client': {
      operation: (sequence) =>
        http.request('GET', `${workspace}/clients/${clientOf(sequence)}`, { token }),
    },
    'list 20 clients': {
      operation: () => http.request('GET', `${workspace}/clients?limit=20`, { token }),
    },
    'search clients': {
      operation: (sequence) =>
        http.request('GET', `${workspace}/clients?limit=20&search=bench%20${sequence % CLIENTS}`, {
          token,
        }),
    },
    'list 20 ledger entries': {
      operation: (sequence) =>
        http.request('GET', `${workspace}/clients/${clientOf(sequence)}/points/ledger?limit=20`, {
          token,
        }),
    },
  };
}

/** The rows that an option names; a comma within a name is followed by a space. @param {string} text */
export const rowsIn = (text) => text.split(/,(?! )/);

/**
 * Throws where a row is asked for that there is none of: a table without it would look as if nothing was wrong.
 *
 * @param {readonly string[]} names
 * @param {readonly string[]} known
 */
export function onlyRowsOf(names, known) {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(`there is no row "${unknown.join('", "')}"; there are: ${known.join(' | ')}`);
}

/** A key for every other write, as tills send them. @param {number} sequence @returns {Record<string, string>} */
export const keyOfHalf = (sequence) =>
  sequence % 2 === 0 ? {} : { 'idempotency-key': randomUUID() };

/**
 * Earns with a webhook subscribed, and has the same events sent again by a replay: the former says how soon a receiver
 * hears of what happens, the latter how many deliveries a second there can be, which earns do not hold up.
 *
 * @param {Http} http
 * @param {Scene} scene
 * @param {{ events: number, pids: Record<string, number> }} how
 */
export async function measureFanOut(http, { token, workspace, clientIds }, { events, pids }) {
  const sink = await openSink();
  const { data } = await http.request('POST', `${workspace}/webhooks`, {
    token,
    body: { url: sink.url, event_types: ['loyalty.points_earned'] },
  });
  const from = new Date(Date.now() - 1_000).toISOString();
  for (let sent = 0; sent < events; sent += 1_000) {
    const operations = Array.from({ length: Math.min(1_000, events - sent) }, (_, index) => ({
      op: 'earn',
      client_id: clientIds[(sent + index) % clientIds.length],
      amount: 1,
    }));
    await http.request('POST', `${workspace}/loyalty/points/batch`, {
      token,
      body: { operations },
    });
  }
  const earnedAt = performance.now();
  const delivered = await sink.received(events);
  const secondsAfterLastEarn = Math.max(0, (sink.lastAt() - earnedAt) / 1_000);
  const to = new Date(Date.now() + 1_000).toISOString();
  const before = cpuSeconds(pids);
  const startedAt = performance.now();
  await http.request('POST', `${workspace}/webhooks/${data.id}/replay`, {
    token,
    body: { from_date: from, to_date: to },
    statuses: [202],
  });
  const again = (await sink.received(2 * events)) - delivered;
  const after = cpuSeconds(pids);
  await http.request('DELETE', `${workspace}/webhooks/${data.id}`, { token });
  sink.close();
  return {
    delivered,
    secondsAfterLastEarn,
    deliveriesPerSecond: again / ((sink.lastAt() - startedAt) / 1_000),
    cpuUs: Object.fromEntries(
      Object.keys(pids).map((name) => [
        name,
        (((after[name] ?? 0) - (before[name] ?? 0)) * 1e6) / again,
      ]),
    ),
  };
}

/** A receiver of webhooks that counts what it takes. */
export async function openSink() {
  let count = 0;
  let lastAt = 0;
  const { url, close } = await serveLocally((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      lastAt = performance.now();
      response.writeHead(204).end();
    });
  });

  return {
    url: `${url}/`,
    lastAt: () => lastAt,
    /** So many in all, or what has come after a minute. @param {number} expected */
    async received(expected) {
      const until = performance.now() + 60_000;
      while (count < expected && performance.now() < until) await pause(10);
      return count;
    },
    close,
  };
}
