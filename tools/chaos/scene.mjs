// What the load happens in: two workspaces with all that they decide on, and clients, made before the first fault.
import { randomUUID } from 'node:crypto';
import { someAtOnce } from './at-once.mjs';
import { makeDoors } from './doors.mjs';
import { makeCampaign, makeCards, makeGuests, makeTemplate } from './guests-and-cards.mjs';
import { bodyOf } from './http.mjs';
import { makeTexted } from './letters.mjs';
import { openTill } from './till.mjs';

/** @typedef {import('./http.mjs').Http} Http */
/** @typedef {import('./http.mjs').Request} Request */
/** @typedef {import('./sink.mjs').Sink} Sink */
/** @typedef {{ sink: Sink, crm: import('./crm.mjs').Crm, phones: import('./phones.mjs').Phones, google: import('./google.mjs').Google }} Around the systems of others */
/**
 * @typedef {import('./phones.mjs').Card} Referee somebody who may be brought by somebody else, and their pass
 * @typedef {{ id: string, workspaceId: string, atLeast: number }} Segment of whom bought that often
 * @typedef {{ canary: string, clientId: string }} Guest whose every text has the canary in it
 * @typedef {{
 *   id: string, path: string, clients: string[], hot: string[], rewards: string[], pool: string, referrers: string[],
 *   referees: Referee[], shoppers: Referee[], guests: Guest[], cards: Referee[], template: string,
 *   drafts: string[], segment: Segment, newcomers: string[], codes: Map<string, string>, brought: Referee[], sold: Sold[],
 *   doors: import('./doors.mjs').Doors, delivered: import('./intents/draw.mjs').Intent[], enrolled: string[], till: import('./till.mjs').Till,
 *   texted: import('./letters.mjs').Texted[], texts: Map<string, number>, invited: string[], served: Served[],
 * }} Workspace `pool` is the reward that coupons are imported for, `shoppers` buy and bring back where a rule gives points for
 *   it, `guests` are those who have not been forgotten yet, `drafts` the campaigns that have not been launched, `cards` all
 *   passes. What workers learn: clients made during the run, referral codes by client, who was brought, what was sold, what a shop
 *   system has sent, who has sent the form, how often texts were asked for, who was invited, and what staff did
 */
/** @typedef {{ clientId: string, externalId: string, cents: number }} Sold */
/** @typedef {{ operation: string, token: string }} Served and by which device */
/** @typedef {{ id: string, workspaceId: string, rewardId: string, clientIds: string[] }} Launchable a campaign that gives its audience a reward of its own */
/** @typedef {{ token: string, workspaces: Workspace[], guests: (Guest & { workspaceId: string })[], campaigns: Launchable[] }} Scene */

const WALLET_TYPES = [
  { code: 'points', name: 'Points', expiry_days: 365 },
  { code: 'capped', name: 'Capped', max_balance: 500 },
  { code: 'credit', name: 'Credit', allow_negative_balance: true },
  { code: 'slow', name: 'Slow', pending_days: 7 },
  { code: 'lucky', name: 'Lucky' },
];
/** There where the rule is; nothing but the rule and refunds moves them: what is in them follows from the trail. */
const BOUGHT = { code: 'bought', name: 'Bought', allow_negative_balance: true };
const RULE = {
  name: 'A point per euro',
  trigger_type: 'transaction',
  effects: [
    {
      type: 'earn_points',
      wallet_type_code: BOUGHT.code,
      amount_type: 'expression',
      amount_expression: 'event.amount',
    },
  ],
};
/** Each spin is worth a point, three for each client at most, until the budget is spent; nothing else moves these points. */
export const SPINS_PER_CLIENT = 3;
export const SPINS_BUDGET = 40;
const LUCKY_RULE = {
  name: 'A point per spin',
  trigger_type: 'custom_event',
  trigger_config: { event_types: ['spin'] },
  effects: [{ type: 'earn_points', wallet_type_code: 'lucky', amount_type: 'fixed', amount: 1 }],
  limits: {
    executions_per_client: { interval: 'lifetime', value: SPINS_PER_CLIENT },
    total_budget: SPINS_BUDGET,
  },
};
/** Who bought so often at least. */
const BOUGHT_AT_LEAST = 2;
const SEGMENT = {
  name: 'Regulars',
  filters: [
    {
      filter_type: 'metric',
      filter_config: { metric: 'transaction_count', operator: '_gte', value: BOUGHT_AT_LEAST },
    },
  ],
};
/** Who listens to what, per workspace: everything, or some of it. */
const WEBHOOKS = [[['*'], ['loyalty.points_earned', 'loyalty.points_spent']], [['*']]];
const CLIENTS = [40, 10];
const REFEREES = [50, 10];
/** Few enough to meet each other's order numbers; the rule is where they are. */
const SHOPPERS = [6, 0];
/** Half of them are forgotten in a run, the others prove that they are looked for. */
const GUESTS = [16, 6];
const CAMPAIGNS = [4, 2];
/** As many of the residents have a card, on a phone and at Google as guests have. */
const CARDS = 8;
const HOT = 2;
const REFERRERS = 5;
/** Small enough to be reached within a minute. */
const CAP = 3;
const TIERS = [50, 200, 600];
const POOL = 12;

/** Each in another way short of something: points, uses, uses per client, coupons. @param {string} points @param {string} credit */
const rewardsOf = (points, credit) => [
  { name: 'Free', cost_in_points: 0, code_pattern: 'F-{RAND:8}' },
  { name: 'Paid', cost_in_points: 15, wallet_type_id: points, code_pattern: 'P-{RAND:8}' },
  {
    name: 'Scarce',
    cost_in_points: 2.5,
    wallet_type_id: points,
    usage_limit: 25,
    usage_limit_per_client: 3,
  },
  { name: 'Once each', cost_in_points: 0, usage_limit_per_client: 1 },
  { name: 'On credit', cost_in_points: 20, wallet_type_id: credit },
];

/**
 * @param {Http} http
 * @param {Around} around
 * @returns {Promise<Scene>}
 */
export async function prepareScene(http, around) {
  const email = `chaos-${randomUUID()}@example.com`;
  const password = randomUUID();
  await must(http, '/auth/register', { method: 'POST', body: { email, password } });
  const signedIn = await must(http, '/auth/login', { method: 'POST', body: { email, password } });
  const session = signedIn.data.access_token;
  /** @type {Make} */
  const make = (path, body, method = 'POST') =>
    must(http, path, { method, token: session, body, key: randomUUID() });
  const { token } = await make('/service-api/user/api-token/regenerate', {});
  const workspaces = [];
  for (const index of WEBHOOKS.keys())
    workspaces.push(await prepareWorkspace(make, { ...around, index }));
  for (const { id, cards, guests } of workspaces) {
    await around.phones.add(cards);
    await around.google.save(http, id, cards.slice(0, CARDS + guests.length));
  }
  return {
    token,
    workspaces,
    guests: workspaces.flatMap(({ id, guests }) =>
      guests.map((guest) => ({ ...guest, workspaceId: id })),
    ),
    campaigns: workspaces.flatMap(({ campaigns }) => campaigns),
  };
}

/** @typedef {(path: string, body: object, method?: 'POST' | 'PUT') => Promise<any>} Make */

/**
 * @param {Make} make
 * @param {Around & { index: number }} around
 * @returns {Promise<Workspace & { campaigns: Launchable[] }>}
 */
async function prepareWorkspace(make, { sink, crm, phones, google, index }) {
  const { data } = await make('/service-api/workspaces', { name: `Chaos ${index}` });
  const path = `/service-api/workspace/${data.id}`;
  for (const event_types of WEBHOOKS[index] ?? []) await subscribe(make, sink, path, event_types);
  await make(`${path}/integrations/crm_sync`, crm.open(data.id), 'PUT');
  /** @type {Record<string, string>} */
  const types = {};
  for (const type of WALLET_TYPES)
    types[type.code] = (await make(`${path}/wallet-types`, type)).data.id;
  await makeTiers(make, path);
  const program = { enabled: true, completion_criteria: 'first_transaction' };
  await make(`${path}/referral-program`, { ...program, max_referrals_per_referrer: CAP }, 'PUT');
  const rewards = [];
  for (const reward of rewardsOf(String(types.points), String(types.credit)))
    rewards.push((await make(`${path}/rewards`, reward)).data.id);
  const pool = (await make(`${path}/rewards`, { name: 'Pool', cost_in_points: 0 })).data.id;
  const codes = Array.from({ length: POOL }, (_, number) => `first-${number}`);
  await make(`${path}/rewards/${pool}/coupons/import`, { codes });
  const clients = await makeClients(make, path, Number(CLIENTS[index]));
  const referees = await makeClients(make, path, Number(REFEREES[index]));
  const shoppers = await makeClients(make, path, Number(SHOPPERS[index]));
  const guests = await makeGuests(make, path, Number(GUESTS[index]));
  const credentials = { apple: phones.credentials, google: google.credentials };
  const template = await makeTemplate(make, path, credentials);
  const cardsOf = (/** @type {string[]} */ ids) => makeCards(make, path, { template, ids });
  const holders = await cardsOf([
    ...clients.slice(0, CARDS),
    ...guests.map(({ clientId }) => clientId),
  ]);
  const [brought, buying] = [await cardsOf(referees), await cardsOf(shoppers)];
  const campaigns = [];
  for (let number = 0; number < Number(CAMPAIGNS[index]); number += 1)
    campaigns.push(await makeCampaign(make, path, { number, clientIds: clients }));
  await make(`${path}/automations`, LUCKY_RULE);
  const segment = (await make(`${path}/segments`, SEGMENT)).data.id;
  if (shoppers.length > 0) {
    await make(`${path}/wallet-types`, BOUGHT);
    await make(`${path}/automations`, RULE);
  }
  return {
    id: data.id,
    path,
    clients,
    hot: clients.slice(0, HOT),
    rewards: [...rewards, pool],
    pool,
    referrers: clients.slice(0, REFERRERS),
    referees: brought,
    shoppers: buying,
    guests,
    cards: [...holders, ...brought, ...buying],
    template: template.id,
    drafts: campaigns.map(({ id }) => id),
    segment: { id: segment, workspaceId: data.id, atLeast: BOUGHT_AT_LEAST },
    campaigns: campaigns.map((campaign) => ({ ...campaign, workspaceId: data.id })),
    newcomers: [],
    codes: new Map(),
    brought: [],
    sold: [],
    doors: await makeDoors(make, path, { slug: data.slug, template, clients }),
    delivered: [],
    enrolled: [],
    till: await openTill(make, path),
    texted: await makeTexted(make, { path, index }),
    texts: new Map(),
    invited: [],
    served: [],
  };
}

/** Auto tiers by points alone. @param {Make} make @param {string} path */
async function makeTiers(make, path) {
  const conditions = [{ type: 'total_earned', wallet_type_code: 'points' }];
  await make(`${path}/tiers/set`, { name: 'Tiers', active: true, conditions });
  for (const [index, total_earned] of TIERS.entries())
    await make(`${path}/tiers`, {
      name: `Tier ${index + 1}`,
      sort_order: index + 1,
      condition_values: { total_earned },
      notification_config: { send_on_promotion: true, promotion_body: 'Up you go' },
    });
}

/** @param {Make} make @param {string} path @param {number} count @returns {Promise<string[]>} their ids */
async function makeClients(make, path, count) {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const made = await someAtOnce(numbers, (number) => make(`${path}/clients`, newClient(number)));
  return made.map(({ data }) => data.id);
}

/** @param {number} number */
const newClient = (number) => ({
  first_name: 'Ada',
  last_name: `Chaos ${number}`,
  marketing_consent: true,
  loyalty_program_enabled: true,
});

/**
 * @param {Make} make
 * @param {Sink} sink
 * @param {string} path
 * @param {string[]} event_types
 */
async function subscribe(make, sink, path, event_types) {
  const endpoint = sink.open();
  const { data, secret } = await make(`${path}/webhooks`, { url: endpoint.url, event_types });
  endpoint.trust(data.id, secret, data.workspace_id);
}

/** @param {Http} http @param {string} path @param {Request} request */
const must = async (http, path, request) =>
  bodyOf(`${request.method} ${path}`, await http.attempt(path, request));
