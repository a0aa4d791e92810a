// The workspaces that are filled: made through the public API like anybody's, with what their data rests on.
import { randomUUID } from 'node:crypto';

const DAY_MS = 86_400_000;
const EXPIRY_DAYS = 365;
const HISTORY_DAYS = 500;
/** Shorter than the lookback: no member is due for a review by the clock, a resync alone reviews. */
const RECENT_DAYS = 300;
const LOOKBACK_DAYS = 365;
const TIERS = [
  { name: 'Bronze', sort_order: 0, condition_values: {} },
  { name: 'Silver', sort_order: 1, condition_values: { total_earned: 500 } },
  { name: 'Gold', sort_order: 2, condition_values: { total_earned: 1_500 } },
];

/**
 * @typedef {object} Place a workspace and how it is entered
 * @property {string} id
 * @property {string} token
 * @property {string} [rewardId]
 * @property {string} [segmentId] asks for balance, tier, a window and a field at once
 * @property {import('./client-records.mjs').Plan} plan
 *
 * @typedef {{ million: Place, tiers: Place }} Scene
 */

/**
 * @param {import('../subjects.mjs').Http} http
 * @param {{ seed: string, clients: number, entries: number, tierClients: number, now: number }} size
 * @returns {Promise<Scene>}
 */
export async function makeScene(http, { seed, clients, entries, tierClients, now }) {
  const account = await signUp(http);
  const deep = { wallets: 10, entries: Math.floor(entries / 500) };
  const million = await makePlace(http, account, {
    name: 'Million',
    lookbackDays: 0,
    plan: {
      seed: `${seed} million`,
      clients,
      entries,
      deep,
      from: now - HISTORY_DAYS * DAY_MS,
      to: now,
    },
  });
  const tiers = await makePlace(http, account, {
    name: 'Tiers',
    lookbackDays: LOOKBACK_DAYS,
    plan: {
      seed: `${seed} tiers`,
      clients: tierClients,
      entries: tierClients * 3,
      deep: { wallets: 0, entries: 0 },
      from: now - RECENT_DAYS * DAY_MS,
      to: now,
    },
  });
  return { million, tiers };
}

async function signUp(http) {
  const body = {
    email: `bench-${randomUUID()}@example.com`,
    password: 'a bench needs no good password',
  };
  await http.request('POST', '/auth/register', { body });
  const { data } = await http.request('POST', '/auth/login', { body });
  const session = data.access_token;
  const { token } = await http.request('POST', '/service-api/user/api-token/regenerate', {
    token: session,
    body: {},
  });
  return { session, token, userId: data.user?.id ?? randomUUID() };
}

async function makePlace(http, { session, token, userId }, { name, lookbackDays, plan }) {
  const created = await http.request('POST', '/service-api/workspaces', {
    token: session,
    body: { name },
  });
  const { id } = created.data;
  const post = async (path, body) =>
    (await http.request('POST', `/service-api/workspace/${id}/${path}`, { token, body })).data;
  const walletType = await post('wallet-types', {
    code: 'points',
    name: 'Points',
    expiry_days: EXPIRY_DAYS,
  });
  const conditions = [{ type: 'total_earned' }];
  const downgrade_config = lookbackDays > 0 ? { lookback_days: lookbackDays } : {};
  await post('tiers/set', { name: 'Club', conditions, downgrade_config });
  const tiers = [];
  for (const tier of TIERS) tiers.push(await post('tiers', tier));
  const reward = await post('rewards', {
    name: 'Coffee',
    cost_in_points: 1,
    code_pattern: 'CUP-{RAND:10}',
  });
  const segment = await post('segments', { name: 'Regulars', filters: regulars(tiers[1].id) });
  return {
    id,
    token,
    rewardId: reward.id,
    segmentId: segment.id,
    plan: {
      workspaceId: id,
      actorId: userId,
      walletType: { id: walletType.id, code: walletType.code, expiry_days: EXPIRY_DAYS },
      tierSet: { active: true, conditions, downgrade_config },
      tiers,
      ...plan,
    },
  };
}

/** @param {string} tierId */
function regulars(tierId) {
  const wallet = { wallet_type_code: 'points', balance: 'active', operator: '_gte', value: 20 };
  const earned = { metric: 'points_earned', period_days: 90, operator: '_gt', value: 50 };
  const spending = { event_category: 'loyalty', event_type: 'points_spent', within_days: 180 };
  const configs = {
    wallet_balance: wallet,
    metric: earned,
    tier: { tier_ids: [tierId, 'untiered'], negate: true },
    event: { ...spending, operator: '_gte', value: 1 },
    client_field: { field: 'email', operator: '_nnull' },
  };
  return Object.entries(configs).map(([filter_type, filter_config]) => ({
    filter_type,
    filter_config,
  }));
}
