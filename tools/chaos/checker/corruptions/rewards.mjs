// Harm to rewards and their coupons.
import { change, drop, fromSource, ofKind, twice } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */
/** @typedef {import('../world.mjs').Redemption} Redemption */
/** @typedef {import('../world.mjs').Coupon} Coupon */

/** @param {Redemption} redemption */
const isPaid = ({ points_spent, status }) => points_spent > 0 && status === 'fulfilled';
/** @param {Redemption} redemption */
const isCancelled = ({ points_spent, status }) => points_spent > 0 && status === 'cancelled';
/** @param {Redemption} redemption */
const isLive = ({ status, counted }) => status === 'fulfilled' && counted;
/** @param {import('../world.mjs').Entry} entry @param {World} world */
const givesBack = ({ type, source_type: source, amount, source_id }, { entries }) =>
  type === 'cancel' &&
  source === 'refund' &&
  amount > 0 &&
  entries.some((entry) => entry._id === source_id && entry.source_type === 'redemption');

/** Two live redemptions get one coupon. @param {World} world */
function shareCoupon(world) {
  const held = world.redemptions.find((row) => isLive(row) && row.coupon_id !== null);
  if (!held) return null;
  return { redemptions: [...world.redemptions, { ...held, _id: `${held._id}-again` }] };
}

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const REWARDS = [
  {
    name: 'a reward is paid for twice',
    caughtBy: 'R1',
    // What was paid for a redemption that came to nothing is given back, and the matter of R2.
    plant: (world) =>
      change(
        'entries',
        (entry) =>
          fromSource('redemption')(entry) &&
          world.redemptions.some(({ _id }) => _id === entry.source_id),
        (entry) => [entry, { ...entry, _id: `${entry._id}-again` }],
      )(world),
  },
  {
    name: 'a reward is had for nothing',
    caughtBy: 'R1',
    plant: (world) =>
      drop('entries', ({ source_id }) =>
        world.redemptions.some((row) => row._id === source_id && isPaid(row)),
      )(world),
  },
  {
    name: 'a reward costs more than it says',
    caughtBy: 'R1',
    plant: change('redemptions', isPaid, (row) => ({ ...row, points_spent: row.points_spent - 1 })),
  },
  {
    name: 'somebody else pays for a reward',
    caughtBy: 'R1',
    plant: change('redemptions', isPaid, (row) => ({ ...row, client_id: 'another' })),
  },
  {
    name: 'a cancelled redemption is not refunded',
    caughtBy: 'R2',
    plant: drop('entries', givesBack),
  },
  {
    name: 'a cancelled redemption is refunded twice',
    caughtBy: 'R2',
    plant: change('entries', givesBack, (entry) => [
      entry,
      { ...entry, _id: `${entry._id}-again` },
    ]),
  },
  {
    name: 'a redemption stands and its points came back',
    caughtBy: 'R2',
    plant: change('redemptions', isCancelled, (row) => ({ ...row, status: 'fulfilled' })),
  },
  {
    name: 'a redemption vanishes and its points are gone',
    caughtBy: 'R2',
    plant: drop('redemptions', isPaid),
  },
  {
    name: 'a redemption is left behind half done',
    caughtBy: 'R2',
    plant: (world) => ({ attempts: [...world.attempts, { _id: 'attempt', state: 'spending' }] }),
  },
  {
    name: 'a reward is redeemed beyond its limit',
    caughtBy: 'R3',
    plant: (world) =>
      change(
        'rewards',
        ({ _id }) => world.redemptions.some((row) => isLive(row) && row.reward_id === _id),
        (reward) => ({ ...reward, usage_limit: 0 }),
      )(world),
  },
  {
    name: 'a client has more of a reward than allowed',
    caughtBy: 'R3',
    plant: (world) =>
      change(
        'rewards',
        ({ _id }) =>
          world.redemptions.some(
            (row) =>
              isLive(row) &&
              row.reward_id === _id &&
              !world.tombstones.some(({ merged_into }) => merged_into === row.client_id),
          ),
        (reward) => ({ ...reward, usage_limit_per_client: 0 }),
      )(world),
  },
  {
    name: 'a use is counted twice',
    caughtBy: 'R3',
    plant: change(
      'rewards',
      ({ used }) => used > 0,
      (reward) => ({ ...reward, used: reward.used + 1 }),
    ),
  },
  {
    name: "a client's use is not given back",
    caughtBy: 'R3',
    plant: change(
      'usages',
      () => true,
      (usage) => ({ ...usage, used: usage.used + 1 }),
    ),
  },
  { name: 'two redemptions get one coupon', caughtBy: 'R4', plant: shareCoupon },
  {
    name: 'a code is there twice, in another case',
    caughtBy: 'R4',
    plant: change(
      'coupons',
      () => true,
      (coupon) => [
        coupon,
        { ...coupon, _id: `${coupon._id}-again`, code: coupon.code.toLowerCase() },
      ],
    ),
  },
  {
    name: 'an issued coupon is free again',
    caughtBy: 'R4',
    plant: change(
      'coupons',
      ({ status }) => status !== 'available',
      (coupon) => ({ ...coupon, status: 'available', used_at: null }),
    ),
  },
  {
    name: 'a used coupon does not know when',
    caughtBy: 'R4',
    plant: change(
      'coupons',
      ({ status }) => status === 'used',
      (coupon) => ({ ...coupon, used_at: null }),
    ),
  },
  {
    name: 'a coupon stays set aside',
    caughtBy: 'R4',
    plant: change(
      'coupons',
      () => true,
      (coupon) => ({ ...coupon, claimed_by: 'nobody' }),
    ),
  },
  {
    name: 'a redemption has a coupon that is not there',
    caughtBy: 'R4',
    plant: (world) =>
      drop('coupons', ({ _id }) => world.redemptions.some(({ coupon_id }) => coupon_id === _id))(
        world,
      ),
  },
  {
    name: 'an acknowledged redemption is lost',
    caughtBy: 'H8',
    plant: (world) =>
      drop('redemptions', ({ metadata }) =>
        world.history.some(({ id, outcome }) => id === metadata.op && outcome === 'ok'),
      )(world),
  },
  {
    name: 'a reward is redeemed twice for one request',
    caughtBy: 'H8',
    plant: twice('redemptions', (one) => isLive(one) && one.metadata.op !== undefined),
  },
  {
    name: 'a refused redemption took effect',
    caughtBy: 'H8',
    plant: change('history', ofKind('redeem'), (one) => ({ ...one, outcome: 'fail' })),
  },
  {
    name: 'a redemption is cancelled by itself',
    caughtBy: 'H8',
    plant: ({ redemptions, history }) =>
      redemptions.some(({ status }) => status === 'cancelled')
        ? { history: history.filter(({ kind }) => kind !== 'unredeem') }
        : null,
  },
  {
    name: 'a redemption is used by itself',
    caughtBy: 'H8',
    plant: ({ redemptions, history }) =>
      redemptions.some((row) => isLive(row) && row.used_at !== null)
        ? { history: history.filter(({ kind }) => kind !== 'use') }
        : null,
  },
  {
    name: 'nobody is told of a redemption',
    caughtBy: 'H8',
    plant: drop('outbox', ({ type }) => type === 'rewards.reward_redeemed'),
  },
];
