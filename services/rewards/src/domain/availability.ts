import { subtract, type Units, ZERO } from '@laurel/values/amount';
import type { Reason } from '../refusals';
import type { Reward } from './reward';

/**
 * How a redemption is paid: with points, not at all though limits hold (given by a rule or a person),
 * or not at all and beyond all limits (`skip_points_cost`).
 */
export type Payment = 'points' | 'given' | 'skipped';

/** The client's wallet of the reward's type; null when that type is not active. */
export interface Purse {
  active: Units;
  mayOverdraw: boolean;
}

/** Everything that a decision on one reward and one client rests on. */
export interface Facts {
  reward: Reward;
  now: Date;
  payment: Payment;
  purchasableOnly: boolean;
  clientActive: boolean;
  tierId: string | null;
  inSegment: boolean;
  usedByClient: number;
  purse: Purse | null;
  /** True when codes were imported, none is left and none can be generated. */
  outOfCoupons: boolean;
}

/** What a redemption costs; nothing without a wallet to pay from. */
export function costOf(reward: Reward, payment: Payment): Units {
  return payment === 'points' && reward.wallet_type_id !== null ? reward.cost_in_points : ZERO;
}

/** Whether a redemption counts towards the usage limits. */
export function countsTowardsLimits(payment: Payment): boolean {
  return payment !== 'skipped';
}

type Rule<Of = Facts> = [Reason, (facts: Of) => boolean];

/** What keeps a reward from everybody. */
const FOR_EVERYBODY: readonly Rule<Pick<Facts, 'reward' | 'now'>>[] = [
  ['inactive', ({ reward }) => !reward.active],
  ['not_started', ({ reward, now }) => isAfter(reward.availability_start, now)],
  ['ended', ({ reward, now }) => isBefore(reward.availability_end, now)],
];

/** First rule that holds names the refusal (part 3, section 6). */
const BEFORE_POINTS: readonly Rule[] = [
  ...FOR_EVERYBODY,
  ['not_purchasable', ({ reward, purchasableOnly }) => purchasableOnly && !reward.purchasable],
  ['tier_locked', ({ reward, tierId }) => isLocked(reward.visibility_tiers, tierId)],
  [
    'segment_locked',
    ({ reward, inSegment }) => reward.visibility_segments.length > 0 && !inSegment,
  ],
  [
    'usage_limit_reached',
    ({ reward, payment }) => counted(payment) && reached(reward.usage_limit, reward.used),
  ],
  [
    'client_limit_reached',
    ({ reward, payment, usedByClient }) =>
      counted(payment) && reached(reward.usage_limit_per_client, usedByClient),
  ],
  // Before points and coupons: a client who may have nothing does not hear that it should save up for it.
  ['client_not_active', ({ clientActive }) => !clientActive],
  [
    'wallet_type_inactive',
    ({ reward, payment, purse }) => costOf(reward, payment) > 0 && purse === null,
  ],
];
const POINTS: readonly Rule[] = [['insufficient_points', (facts) => !canAfford(facts)]];
const AFTER_POINTS: readonly Rule[] = [['out_of_coupons', ({ outOfCoupons }) => outOfCoupons]];

/** How things would stand once the client had been given the reward so often. */
export function asIfGiven(facts: Facts, times: number): Facts {
  const { reward, usedByClient } = facts;
  return {
    ...facts,
    reward: { ...reward, used: reward.used + times },
    usedByClient: usedByClient + times,
  };
}

/** Why the client cannot have the reward now, or null. */
export function reasonAgainst(facts: Facts): Reason | null {
  return firstOf([...BEFORE_POINTS, ...POINTS, ...AFTER_POINTS], facts);
}

/** The same, leaving points aside: what keeps a reward locked whatever the client earns. */
export function lockOn(facts: Facts): Reason | null {
  return firstOf([...BEFORE_POINTS, ...AFTER_POINTS], facts);
}

/** Why no client can have the reward at a moment, or null. */
export function lockForEverybody(reward: Reward, now: Date): Reason | null {
  return firstOf(FOR_EVERYBODY, { reward, now });
}

export function canAfford({ reward, payment, purse }: Facts): boolean {
  const cost = costOf(reward, payment);
  if (cost === 0) return true;
  return purse !== null && (purse.mayOverdraw || purse.active >= cost);
}

/** The active balance after a redemption that was allowed; null without a wallet. */
export function balanceAfter({ reward, payment, purse }: Facts, allowed: boolean): Units | null {
  if (purse === null) return null;
  return allowed ? subtract(purse.active, costOf(reward, payment)) : purse.active;
}

function firstOf<Of>(rules: readonly Rule<Of>[], facts: Of): Reason | null {
  return rules.find(([, holds]) => holds(facts))?.[0] ?? null;
}

const counted = countsTowardsLimits;
const isAfter = (moment: Date | null, now: Date): boolean => moment !== null && now < moment;
const isBefore = (moment: Date | null, now: Date): boolean => moment !== null && now > moment;
const reached = (limit: number | null, used: number): boolean => limit !== null && used >= limit;
const isLocked = (tiers: readonly string[], tierId: string | null): boolean =>
  tiers.length > 0 && (tierId === null || !tiers.includes(tierId));
