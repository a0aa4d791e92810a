// Rewards: redeemed, used and given back, from pools that run dry and are filled again.
import { someClient } from './draw.mjs';

/** @typedef {import('./draw.mjs').Maker} Maker */

const SKIPPED_SHARE = 0.08;
const IMPORTED = { from: 1, to: 4 };

/** @type {Record<string, Maker>} */
export const REWARDS = {
  redeem: (situation) => {
    const { random, workspace, tag } = situation;
    const body = {
      reward_id: random.pick(workspace.rewards),
      client_id: someClient(situation),
      metadata: { op: tag },
      ...(random.chance(SKIPPED_SHARE) ? { skip_points_cost: true } : {}),
    };
    return { kind: 'redeem', path: '/rewards/redeem', body };
  },
  unredeem: ({ random, memory }) => {
    const of = memory.take('redemptions', random);
    return of === undefined
      ? undefined
      : { kind: 'unredeem', path: `/rewards/redemptions/${of}/cancel`, body: {}, of };
  },
  use: ({ random, memory }) => {
    const of = memory.peek('redemptions', random);
    const body = { used: random.chance(0.7) };
    return of === undefined
      ? undefined
      : { kind: 'use', path: `/rewards/redemptions/${of}/use`, body, of };
  },
  import: ({ random, workspace, tag }) => {
    const count = random.int(IMPORTED.from, IMPORTED.to);
    const codes = Array.from({ length: count }, (_, index) => `${tag}.${index}`);
    return { kind: 'import', path: `/rewards/${workspace.pool}/coupons/import`, body: { codes } };
  },
};
