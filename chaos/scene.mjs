// What the load happens in: two workspaces with their wallet types, webhooks and clients, made before the first fault.
import { randomUUID } from 'node:crypto';

/** @typedef {import('./http.mjs').Http} Http */
/** @typedef {import('./http.mjs').Request} Request */
/** @typedef {import('./sink.mjs').Sink} Sink */
/** @typedef {{ id: string, path: string, clients: string[], hot: string[] }} Workspace */
/** @typedef {{ token: string, workspaces: Workspace[] }} Scene */

const WALLET_TYPES = [
  { code: 'points', name: 'Points', expiry_days: 365 },
  { code: 'capped', name: 'Capped', max_balance: 500 },
  { code: 'credit', name: 'Credit', allow_negative_balance: true },
  { code: 'slow', name: 'Slow', pending_days: 7 },
];
/** Who listens to what, per workspace: everything, some of it, or one thing. */
const WEBHOOKS = [
  [['*'], ['loyalty.points_earned', 'loyalty.points_spent']],
  [['*', 'loyalty.points_cancelled']],
];
const CLIENTS = [40, 10];
const HOT = 2;

/**
 * @param {Http} http
 * @param {Sink} sink
 * @returns {Promise<Scene>}
 */
export async function prepareScene(http, sink) {
  const email = `chaos-${randomUUID()}@example.com`;
  const password = randomUUID();
  await must(http, '/auth/register', { method: 'POST', body: { email, password } });
  const signedIn = await must(http, '/auth/login', { method: 'POST', body: { email, password } });
  const session = signedIn.data.access_token;
  const make = (/** @type {string} */ path, /** @type {object} */ body) =>
    must(http, path, { method: 'POST', token: session, body });
  const { token } = await make('/service-api/user/api-token/regenerate', {});
  const workspaces = [];
  for (const [index, webhooks] of WEBHOOKS.entries()) {
    const { data } = await make('/service-api/workspaces', { name: `Chaos ${index}` });
    const path = `/service-api/workspace/${data.id}`;
    for (const event_types of webhooks) await subscribe(make, sink, path, event_types);
    for (const type of WALLET_TYPES) await make(`${path}/wallet-types`, type);
    const clients = [];
    for (let number = 0; number < /** @type {number} */ (CLIENTS[index]); number += 1)
      clients.push((await make(`${path}/clients`, newClient(number))).data.id);
    workspaces.push({ id: data.id, path, clients, hot: clients.slice(0, HOT) });
  }
  return { token, workspaces };
}

/** @param {number} number */
const newClient = (number) => ({ first_name: 'Ada', last_name: `Chaos ${number}` });

/**
 * @param {(path: string, body: object) => Promise<any>} make
 * @param {Sink} sink
 * @param {string} path
 * @param {string[]} event_types
 */
async function subscribe(make, sink, path, event_types) {
  const endpoint = sink.open();
  const { data, secret } = await make(`${path}/webhooks`, { url: endpoint.url, event_types });
  endpoint.trust(data.id, secret);
}

/** @param {Http} http @param {string} path @param {Request} request */
async function must(http, path, request) {
  const { status, body } = await http.attempt(path, request);
  if (status < 200 || status > 299)
    throw new Error(`${request.method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
