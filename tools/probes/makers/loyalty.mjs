// What a workspace has of points, rewards and tiers.
import { randomUUID } from 'node:crypto';
import { until } from '../../lib/until.mjs';
import { posted, unique } from './inputs.mjs';

/** @typedef {import('../world.mjs').World} World */

/** They are made every minute while tests run. */
const CHECKPOINT_MS_MAX = 90_000;

/** @param {World} world @param {string} kind @param {object} [body] */
async function move(world, kind, body = {}) {
  const whole = { client_id: await world.get('client'), amount: 5, ...body };
  return (await world.ask('POST', `:ws/loyalty/points/${kind}`, whole)).data;
}

/** @param {World} world */
async function reward(world) {
  await world.get('wallet_type');
  const body = { name: 'Coffee', cost_in_points: 0, code_pattern: '{RAND:12}' };
  return (await world.ask('POST', ':ws/rewards', body)).data.id;
}

/** @param {World} world */
async function redeemed(world) {
  await world.get('entry');
  const body = { reward_id: await world.get('reward'), client_id: await world.get('client') };
  return (await world.ask('POST', ':ws/rewards/redeem', body)).data;
}

/** @param {World} world */
async function tier(world) {
  await world.get('tier_set');
  const body = {
    name: unique('Tier'),
    kind: 'exclusive',
    condition_values: {},
    pass_template_id: await world.get('template'),
  };
  return (await world.ask('POST', ':ws/tiers', body)).data.id;
}

/** @type {Record<string, import('./index.mjs').Maker>} */
export const LOYALTY = {
  wallet_type: async (world) =>
    (await world.ask('POST', ':ws/wallet-types', { code: unique('points'), name: 'Points' })).data
      .id,
  wallet_code: async (world) => {
    const id = await world.get('wallet_type');
    return (await world.ask('GET', `:ws/wallet-types/${id}`)).data.code;
  },
  entry: async (world) => {
    await world.get('wallet_type');
    return (await move(world, 'earn', { amount: 1_000_000 })).id;
  },
  /** Little enough to be taken back. */
  small_entry: async (world) => {
    await world.get('entry');
    return (await move(world, 'earn', { amount: 1 })).id;
  },
  lock: async (world) => {
    await world.get('entry');
    return (await move(world, 'lock')).id;
  },
  sale: async (world) => {
    await world.get('entry');
    const source_id = randomUUID();
    await move(world, 'earn', { source_type: 'transaction', source_id });
    return source_id;
  },
  reward,
  /** A reward that customers can get by themselves. */
  offer: async (world) => {
    const wallet_type_id = await world.get('wallet_type');
    const body = { name: 'Tea', cost_in_points: 1, purchasable: true, wallet_type_id };
    return (await world.ask('POST', ':ws/rewards', body)).data.id;
  },
  redemption: async (world) => (await redeemed(world)).redemption.id,
  coupon_code: async (world) => (await redeemed(world)).coupon?.code ?? 'none',
  tier_set: posted(':ws/tiers/set', { name: 'Ranks' }),
  tier,
  resync_job: async (world) => {
    await world.get('tier');
    return (await world.ask('POST', ':ws/tiers/recalculate', {})).data?.id;
  },
  loyalty_config: async (world) => {
    await world.ask('POST', ':ws/loyalty/config', {});
    return true;
  },
  checkpoint: async (world) => {
    await world.get('entry');
    return until(
      async () => (await world.ask('GET', ':ws/loyalty/checkpoints')).data[0]?.id,
      'a checkpoint',
      CHECKPOINT_MS_MAX,
    );
  },
};
