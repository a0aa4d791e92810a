// Who earns during the drill, and what the answers said.
import { randomUUID } from 'node:crypto';

/**
 * @typedef {{ key: string, path: string, client: string, amount: number, begunAt: number, endedAt: number, entry: string }} Acknowledged
 * @typedef {{ token: string, path: string, clients: string[] }} Scene
 */

export const WORKERS = 8;
const CLIENTS = 24;

/** @param {import('../http.mjs').Http} http @returns {Promise<Scene>} */
export async function prepareScene(http) {
  const email = `drill-${randomUUID()}@example.com`;
  const password = randomUUID();
  /** @param {string} place @param {object} body @param {string} [token] */
  const make = async (place, body, token) => {
    const { status, body: answer } = await http.attempt(place, {
      method: 'POST',
      body,
      ...(token === undefined ? {} : { token }),
    });
    if (status >= 300) throw new Error(`${place} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await make('/auth/register', { email, password });
  const session = (await make('/auth/login', { email, password })).data.access_token;
  const { token } = await make('/service-api/user/api-token/regenerate', {}, session);
  const { data } = await make('/service-api/workspaces', { name: 'Drill' }, token);
  const place = `/service-api/workspace/${data.id}`;
  await make(`${place}/wallet-types`, { code: 'points', name: 'Points', is_default: true }, token);
  const clients = [];
  for (let number = 0; number < CLIENTS; number += 1) {
    const person = {
      first_name: 'Ada',
      last_name: `Drill ${number}`,
      loyalty_program_enabled: true,
    };
    clients.push((await make(`${place}/clients`, person, token)).data.id);
  }
  return { token, path: place, clients };
}

/**
 * Earns until it is stopped; resolves with what was acknowledged.
 *
 * @param {import('../client.mjs').Client} client
 * @param {Scene} scene
 * @param {AbortSignal} ending
 */
export async function load(client, scene, ending) {
  /** @type {Acknowledged[]} */
  const acknowledged = [];
  const work = async (/** @type {number} */ worker) => {
    for (let turn = 0; !ending.aborted; turn += 1) {
      const holder = String(scene.clients[(worker * 7 + turn) % scene.clients.length]);
      const operation = {
        key: `drill-${worker}-${turn}`,
        path: `${scene.path}/loyalty/points/earn`,
        client: holder,
        amount: 1 + (turn % 5),
      };
      const begunAt = Date.now();
      const entry = await earn(client, operation);
      acknowledged.push({ ...operation, begunAt, endedAt: Date.now(), entry });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  return acknowledged;
}

/** @param {import('../client.mjs').Client} client @param {{ key: string, path: string, client: string, amount: number }} operation @returns {Promise<string>} the id of its entry */
export async function earn(client, { key, path: place, client: client_id, amount }) {
  const body = { client_id, amount };
  const answer = await client.insist(place, { method: 'POST', body, key });
  if (answer.status >= 300) throw new Error(`${place} answered ${answer.status}`);
  return answer.body.data.id;
}
