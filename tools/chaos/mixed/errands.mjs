// What staff do all day: operations that the release before has and that touch every service. Points are the load's matter:
// the checker counts them.
import { randomUUID } from 'node:crypto';

/** @typedef {import('../client.mjs').Client} Client */
/** @typedef {(path: string, body?: object, method?: 'GET' | 'POST' | 'PUT') => Promise<any>} Ask */

const ADAS = [
  {
    filter_type: 'client_field',
    filter_config: { field: 'first_name', operator: '_eq', value: 'Ada' },
  },
];
/** An hour's mails to one address are few. */
const address = () => `mixed-${randomUUID()}@example.com`;

/**
 * One round, in a workspace of its own; throws at the first answer that is not the one that was asked for.
 *
 * @param {Ask} ask
 */
async function round(ask) {
  const { data: workspace } = await ask('/service-api/workspaces', { name: 'Errands' });
  const ws = `/service-api/workspace/${workspace.id}`;
  await ask(`${ws}/wallet-types`, { code: 'points', name: 'Points' });
  await ask(`${ws}/data-model`, { field_name: 'vip', field_type: 'boolean' });
  const client_id = (await ask(`${ws}/clients`, { first_name: 'Ada', email: address() })).data.id;
  await passes(ask, ws, client_id);
  await audiences(ask, ws, client_id);
  await rules(ask, ws, client_id);
  for (const read of READS) await ask(`${ws}/${read}`);
  await ask(`${ws}/clients/${client_id}`);
  await ask(`${ws}/clients/${client_id}/wallets`);
}

const READS = [
  'members',
  'clients',
  'rewards',
  'automations',
  'campaigns',
  'passes',
  'webhooks',
  'tiers',
  'portal-config',
  'audit-log',
];

/** Cards, and mails in the name of the shop. @param {Ask} ask @param {string} ws @param {string} client_id */
async function passes(ask, ws, client_id) {
  const project_id = (await ask(`${ws}/projects`, { name: 'Shop' })).data.id;
  const card = { name: 'Card', project_id };
  const pass_template_id = (await ask(`${ws}/pass-templates`, card)).data.id;
  const pass = { project_id, pass_template_id, client_id };
  const pass_id = (await ask(`${ws}/passes`, pass)).data.id;
  await ask('/service-api/pass/resend', { pass_id });
  await ask(`${ws}/distributions`, { ...pass, client_id: undefined, name: 'Counter' });
}

/** Segments, and a campaign that works by itself. @param {Ask} ask @param {string} ws @param {string} client_id */
async function audiences(ask, ws, client_id) {
  await ask(`${ws}/segments`, { name: 'Adas', filters: ADAS });
  const campaign = { name: 'Spring', manual_client_ids: [client_id] };
  const place = `/service-api/campaigns/${(await ask(`${ws}/campaigns`, campaign)).data.id}`;
  const action_config = { custom_field_updates: { vip: true } };
  await ask(`${place}/actions`, { action_type: 'custom_field_update', action_config });
  await ask(`${place}/launch`, {});
}

/** Rules and rewards. @param {Ask} ask @param {string} ws @param {string} client_id */
async function rules(ask, ws, client_id) {
  await ask(`${ws}/automations`, {
    name: 'Hello',
    trigger_type: 'custom_event',
    effects: [{ type: 'send_push', body: 'Hello' }],
  });
  await ask(`${ws}/custom-events`, { client_id, event_type: 'visit', metadata: { a: 1 } });
  await ask(`${ws}/rewards`, { name: 'Coffee', cost_in_points: 5 });
}

/**
 * Runs errands until it is stopped, and resolves with how many rounds there were and what was refused in them.
 *
 * @param {Client} client
 * @param {AbortSignal} ending
 */
export async function runErrands(client, ending) {
  /** @type {string[]} */
  const refused = [];
  let rounds = 0;
  /** @type {Ask} */
  const ask = async (path, body, method = body ? 'POST' : 'GET') => {
    const request = { method, ...(body ? { body, key: randomUUID() } : {}) };
    const { status, body: answer } = await client.insist(path, request);
    if (status < 200 || status > 299)
      throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  while (!ending.aborted) {
    try {
      await round(ask);
      rounds += 1;
    } catch (error) {
      refused.push(/** @type {Error} */ (error).message);
    }
  }
  return { rounds, refused };
}
