import type { CampaignShortfall } from '@laurel/contract';
import {
  AmountRangeError,
  add,
  prorate,
  toDecimal,
  toUnits,
  type Units,
  ZERO,
} from '@laurel/values/amount';
import type { Action } from './action';

/** How the clients of an audience can be reached. */
export interface Reach {
  total: number;
  reachable: number;
  consenting: number;
  /** Reachable and consenting. */
  addressable: number;
  /** In the loyalty programme: the others can have no tier. */
  loyaltyEnabled: number;
}

/** How many of an audience are in the tiers of a reward, and how many of these in its segments. */
interface Admission {
  byTier: number;
  admitted: number;
}

/** What there is of a reward when the campaign runs, and how many of the audience it is for. */
export interface Supply {
  /** Why no member gets it then. */
  reason: CampaignShortfall | null;
  costInPoints: number;
  usesLeft: number | null;
  couponsLeft: number | null;
  /** By the tier that actions before the gift have assigned (`assignedBefore`). */
  admissions: ReadonlyMap<string | null, Admission>;
}

/** What actions may find when the campaign runs. */
interface Findings {
  /** By reward; one that is missing is not given. */
  supplies: ReadonlyMap<string, Supply>;
  /** Tiers that can be assigned. */
  tierIds: ReadonlySet<string>;
}

export interface Shortfall {
  reason: CampaignShortfall;
  customers: number;
  rewardId: string | null;
}

export interface ActionEstimate {
  actionId: string;
  /** At most so many get all that the action gives. */
  customers: number;
  /** What the rewards would cost if they were paid for; null beyond the range of amounts. */
  points: number | null;
  couponsNeeded: number;
  /** Null where no reward needs an imported code. */
  couponsLeft: number | null;
  shortfalls: Shortfall[];
}

/** For each action the tier that those before it have assigned to the audience; null where none has. */
export function assignedBefore(
  actions: readonly Action[],
  tierIds: ReadonlySet<string>,
): (string | null)[] {
  let assigned: string | null = null;
  return actions.map((action) => {
    const before = assigned;
    if (action.action_type === 'assign_tier' && tierIds.has(action.action_config.tier_id))
      assigned = action.action_config.tier_id;
    return before;
  });
}

/**
 * Whom each action would come to, in their order: what one takes of a reward is not there for the next, and the tier that
 * one assigns is what the locks of the next look at.
 */
export function estimateActions(
  actions: readonly Action[],
  reach: Reach,
  { supplies, tierIds }: Findings,
): ActionEstimate[] {
  const left = new Map(supplies);
  const assigned = assignedBefore(actions, tierIds);
  return actions.map((action, at) => {
    switch (action.action_type) {
      case 'push_notification':
        return plain(action.id, reach.addressable, [
          shortfall('no_pass', reach.total - reach.reachable),
          shortfall('no_consent', reach.reachable - reach.addressable),
        ]);
      case 'template_switch':
        return plain(action.id, reach.reachable, [
          shortfall('no_pass', reach.total - reach.reachable),
        ]);
      case 'give_reward':
        return giving(
          action.id,
          reach.total,
          action.action_config.reward_ids.map((id) =>
            takeOf({ id, assigned: assigned[at] ?? null }, reach, left),
          ),
        );
      case 'assign_tier':
        return tierIds.has(action.action_config.tier_id)
          ? plain(action.id, reach.loyaltyEnabled, [
              shortfall('loyalty_disabled', reach.total - reach.loyaltyEnabled),
            ])
          : plain(action.id, 0, [shortfall('unknown_tier', reach.total)]);
      default:
        return plain(action.id, reach.total, []);
    }
  });
}

/** What a gift of one reward to everybody comes to. */
interface Gift {
  given: number;
  points: Units | null;
  needed: number;
  couponsLeft: number | null;
  shortfalls: Shortfall[];
}

function takeOf(
  { id: rewardId, assigned }: { id: string; assigned: string | null },
  { total }: Reach,
  left: Map<string, Supply>,
): Gift {
  const supply = left.get(rewardId);
  const admission = supply?.admissions.get(assigned);
  if (!supply || !admission) return nothing(shortfall('unknown_reward', total, rewardId));
  if (supply.reason !== null) return nothing(shortfall(supply.reason, total, rewardId));
  const { usesLeft, couponsLeft } = supply;
  const { byTier, admitted } = admission;
  const within = Math.min(admitted, usesLeft ?? admitted);
  const given = Math.min(within, couponsLeft ?? within);
  left.set(rewardId, { ...supply, ...taken(supply, given) });
  return {
    given,
    points: times(supply.costInPoints, given),
    needed: couponsLeft === null ? 0 : within,
    couponsLeft,
    shortfalls: [
      shortfall('tier_locked', total - byTier, rewardId),
      shortfall('segment_locked', byTier - admitted, rewardId),
      shortfall('usage_limit_reached', admitted - within, rewardId),
      shortfall('out_of_coupons', within - given, rewardId),
    ],
  };
}

function giving(actionId: string, total: number, gifts: readonly Gift[]): ActionEstimate {
  const stocks = gifts.flatMap(({ couponsLeft }) => couponsLeft ?? []);
  return {
    actionId,
    customers: Math.min(total, ...gifts.map(({ given }) => given)),
    points: sum(gifts.map(({ points }) => points)),
    couponsNeeded: gifts.reduce((needed, gift) => needed + gift.needed, 0),
    couponsLeft: stocks.length === 0 ? null : stocks.reduce((all, stock) => all + stock, 0),
    shortfalls: worthTelling(gifts.flatMap((gift) => gift.shortfalls)),
  };
}

function plain(actionId: string, customers: number, shortfalls: Shortfall[]): ActionEstimate {
  const free = { points: 0, couponsNeeded: 0, couponsLeft: null };
  return { actionId, customers, ...free, shortfalls: worthTelling(shortfalls) };
}

const nothing = (why: Shortfall): Gift => ({
  given: 0,
  points: ZERO,
  needed: 0,
  couponsLeft: null,
  shortfalls: [why],
});
const shortfall = (
  reason: CampaignShortfall,
  customers: number,
  rewardId: string | null = null,
): Shortfall => ({ reason, customers, rewardId });
const worthTelling = (shortfalls: readonly Shortfall[]): Shortfall[] =>
  shortfalls.filter(({ customers }) => customers > 0);
const taken = ({ usesLeft, couponsLeft }: Supply, given: number) => ({
  usesLeft: usesLeft === null ? null : usesLeft - given,
  couponsLeft: couponsLeft === null ? null : couponsLeft - given,
});

/** A price that keeps everybody from buying, times a large audience, is no amount any more. */
function times(cost: number, count: number): Units | null {
  return withinRange(() => prorate(toUnits(cost), count, 1));
}

function sum(points: readonly (Units | null)[]): number | null {
  const known = points.filter((one) => one !== null);
  const total = known.length < points.length ? null : withinRange(() => add(...known));
  return total === null ? null : toDecimal(total);
}

function withinRange(calculate: () => Units): Units | null {
  try {
    return calculate();
  } catch (error) {
    if (error instanceof AmountRangeError) return null;
    throw error;
  }
}
