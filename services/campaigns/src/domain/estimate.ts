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
}

/** What there is of a reward when the campaign runs, and how many of the audience it is for. */
export interface Supply {
  /** Why no member gets it then. */
  reason: CampaignShortfall | null;
  costInPoints: number;
  usesLeft: number | null;
  couponsLeft: number | null;
  /** How many of the audience are in its tiers, and how many of these in its segments. */
  byTier: number;
  admitted: number;
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

/**
 * Whom each action would come to, in their order: what one takes of a reward is not there for the next.
 *
 * @param supplies by reward; one that is missing there is not given
 */
export function estimateActions(
  actions: readonly Action[],
  reach: Reach,
  supplies: ReadonlyMap<string, Supply>,
): ActionEstimate[] {
  const left = new Map(supplies);
  return actions.map((action) => {
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
        return giving(action.id, reach.total, takeOf(action.action_config.reward_ids, reach, left));
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

function takeOf(ids: readonly string[], reach: Reach, left: Map<string, Supply>): Gift[] {
  return ids.map((rewardId) => {
    const supply = left.get(rewardId);
    if (!supply) return nothing(shortfall('unknown_reward', reach.total, rewardId));
    if (supply.reason !== null) return nothing(shortfall(supply.reason, reach.total, rewardId));
    const { usesLeft, couponsLeft, byTier, admitted } = supply;
    const within = Math.min(admitted, usesLeft ?? admitted);
    const given = Math.min(within, couponsLeft ?? within);
    left.set(rewardId, { ...supply, ...taken(supply, given) });
    return {
      given,
      points: times(supply.costInPoints, given),
      needed: couponsLeft === null ? 0 : within,
      couponsLeft,
      shortfalls: [
        shortfall('tier_locked', reach.total - byTier, rewardId),
        shortfall('segment_locked', byTier - admitted, rewardId),
        shortfall('usage_limit_reached', admitted - within, rewardId),
        shortfall('out_of_coupons', within - given, rewardId),
      ],
    };
  });
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
