import type { Json } from '@laurel/errors';
import { withoutMissingKey } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import { toDecimal, unitsOf } from '@laurel/values/amount';
import type { Coupon } from '../domain/coupon';
import type { Redemption } from '../domain/redemption';
import { type Reward, usesLeft } from '../domain/reward';
import type { RewardTally } from '../store/redemption-tallies';

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export function toRewardReply(reward: Reward): api.Reward {
  const {
    used: _used,
    coupons_imported: _imported,
    for_sale: _wanted,
    revision: _revision,
    ...fields
  } = reward;
  return {
    ...withoutMissingKey(fields),
    cost_in_points: toDecimal(unitsOf(reward.cost_in_points)),
    monetary_value:
      reward.monetary_value === null ? null : toDecimal(unitsOf(reward.monetary_value)),
    availability_start: iso(reward.availability_start),
    availability_end: iso(reward.availability_end),
    notification_config: reward.notification_config as Json,
    date_created: reward.date_created.toISOString(),
    date_updated: reward.date_updated.toISOString(),
  };
}

export function toCouponReply(coupon: Coupon): api.Coupon {
  const { released_by: _released, ...fields } = coupon;
  return {
    ...fields,
    used_at: iso(coupon.used_at),
    date_created: coupon.date_created.toISOString(),
  };
}

export function toRedemptionReply(
  redemption: Redemption,
  coupon: Coupon | null,
  rewardName: string,
): api.Redemption {
  const { counted: _counted, refund: _refund, ...fields } = redemption;
  return {
    ...fields,
    points_spent: toDecimal(redemption.points_spent),
    redemption_date: redemption.redemption_date.toISOString(),
    used_at: iso(redemption.used_at),
    cancelled_at: iso(redemption.cancelled_at),
    coupon_code: coupon?.code ?? null,
    coupon_status: coupon?.status ?? null,
    reward_name: rewardName,
  };
}

/** How a reward fares: redeemed is gross, points_spent net of what was cancelled. */
export function toStatsReply(reward: Reward, stats: RewardTally | undefined): api.RewardStats {
  const { fulfilled = 0, cancelled = 0, used = 0, points } = stats ?? {};
  return {
    redeemed: fulfilled + cancelled,
    cancelled,
    used,
    remaining: usesLeft(reward),
    points_spent: points === undefined ? 0 : toDecimal(points),
  };
}
