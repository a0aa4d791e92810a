// What is measured of the platform: each subject is one kind of request through the gateway, on data of its own.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const CLIENTS = 500;

/**
 * @typedef {ReturnType<typeof import('./load.mjs').httpClient>} Http
 * @typedef {{ operation: (sequence: number) => Promise<unknown>, perCall?: number }} Subject
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

/** A key for every other write, as tills send them. @param {number} sequence @returns {Record<string, string>} */
export const keyOfHalf = (sequence) =>
  sequence % 2 === 0 ? {} : { 'idempotency-key': randomUUID() };

/**
 * Earns with a webhook subscribed and counts what reaches it: the whole way from a request to a receiver.
 *
 * @param {Http} http
 * @param {Scene} scene
 * @param {number} events
 * @returns {Promise<{ deliveriesPerSecond: number, delivered: number, secondsAfterLastEarn: number }>}
 */
export async function measureFanOut(http, { token, workspace, clientIds }, events) {
  let delivered = 0;
  let lastAt = 0;
  const sink = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered += 1;
      lastAt = performance.now();
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => sink.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (sink.address());
  const body = { url: `http://127.0.0.1:${port}/`, event_types: ['loyalty.points_earned'] };
  const { data } = await http.request('POST', `${workspace}/webhooks`, { token, body });
  const startedAt = performance.now();
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
  while (delivered < events && performance.now() - earnedAt < 60_000)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await http.request('DELETE', `${workspace}/webhooks/${data.id}`, { token });
  sink.closeAllConnections();
  sink.close();
  return {
    delivered,
    deliveriesPerSecond: delivered / ((lastAt - startedAt) / 1_000),
    secondsAfterLastEarn: Math.max(0, (lastAt - earnedAt) / 1_000),
  };
}
