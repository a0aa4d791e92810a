import { COUPON_STATUSES, REDEMPTION_SOURCES, REDEMPTION_STATUSES } from '@laurel/contract';
import {
  amount,
  byKey,
  dateOrTimestamp,
  Joi,
  jsonObject,
  nonNegativeAmount,
  nullable,
  oneLine,
  page,
  programmeKey,
  queryBoolean,
  queryList,
  shownKey,
  text,
  timestamp,
  toDate,
  uuid,
} from '../../schema/types';
import { clientOfRow, expandClient } from '../clients/expand-client';
import { last30 } from '../overview/last-days';

const NAME_MAX = 255;
const DESCRIPTION_MAX = 10_000;
const PATTERN_MAX = 255;
const LIST_MAX = 1_000;
const SORT_MAX = 2_147_483_647;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;

const name = oneLine(NAME_MAX, 1);
const count = nullable(Joi.number().integer().min(0).max(COUNT_MAX));
const ids = Joi.array().items(uuid()).max(LIST_MAX).unique();
const notificationConfig = nullable(
  Joi.object({ send_on_redemption: Joi.boolean(), body: text(2_000).required() }),
);

const optionalFields = {
  key: programmeKey(),
  description: nullable(text(DESCRIPTION_MAX)),
  code_pattern: nullable(text(PATTERN_MAX, 1)),
  active: Joi.boolean(),
  wallet_type_id: nullable(uuid()),
  monetary_value: nullable(nonNegativeAmount()),
  availability_start: nullable(timestamp()),
  availability_end: nullable(timestamp()),
  visibility_tiers: ids,
  visibility_segments: ids,
  usage_limit: count,
  usage_limit_per_client: count,
  categories: Joi.array().items(oneLine(NAME_MAX, 1)).max(LIST_MAX),
  image: nullable(
    text(2_048)
      .pattern(/^\s*(?!https?:)[a-z][a-z\d+.-]*:/i, { invert: true })
      .messages({ 'string.pattern.invert.base': '{{#label}} must be a file or an https address' }),
  ),
  sort_order: Joi.number().integer().min(-SORT_MAX).max(SORT_MAX),
  purchasable: Joi.boolean(),
  notification_config: notificationConfig,
};

export interface RewardBody {
  name: string;
  cost_in_points: number;
  [field: string]: unknown;
}

export const createReward = Joi.object<RewardBody>({
  name: name.required(),
  cost_in_points: nonNegativeAmount().required(),
  ...optionalFields,
});

export const updateReward = Joi.object<Partial<RewardBody>>({
  name,
  cost_in_points: nonNegativeAmount(),
  ...optionalFields,
});

export const listRewards = Joi.object<{
  active?: boolean;
  purchasable?: boolean;
  key?: string;
  limit: number;
  offset?: number;
  expand?: ('stats' | 'last30')[];
}>({
  active: queryBoolean(),
  purchasable: queryBoolean(),
  key: byKey(),
  ...page({ limitMax: 1_000, limitDefault: 50 }),
  expand: queryList(Joi.string().valid('stats', 'last30')).description(
    'stats: as rewards/:id/stats, of each; last30: how often each was redeemed on each of the last 30 days.',
  ),
});

export const reward = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  name: Joi.string().required(),
  cost_in_points: amount().required(),
  description: nullable(Joi.string()).required(),
  code_pattern: nullable(Joi.string()).required(),
  active: Joi.boolean().required(),
  wallet_type_id: nullable(uuid()).required(),
  monetary_value: nullable(amount()).required(),
  availability_start: nullable(timestamp()).required(),
  availability_end: nullable(timestamp()).required(),
  visibility_tiers: Joi.array().items(uuid()).required(),
  visibility_segments: Joi.array().items(uuid()).required(),
  usage_limit: count.required(),
  usage_limit_per_client: count.required(),
  categories: Joi.array().items(Joi.string()).required(),
  image: nullable(Joi.string()).required(),
  sort_order: Joi.number().integer().required(),
  purchasable: Joi.boolean().required(),
  notification_config: notificationConfig.required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
}).meta({ name: 'Reward' });
/** What a saved reward may lack that its maker would miss; there is no `meta` without one. */
export const saved = Joi.object({
  warnings: Joi.array()
    .items(Joi.object({ field: Joi.string().required(), message: Joi.string().required() }))
    .required(),
});

export const rewardStats = Joi.object({
  redeemed: Joi.number().required(),
  cancelled: Joi.number().required(),
  used: Joi.number().required(),
  remaining: nullable(Joi.number()).required(),
  points_spent: amount().required(),
});

export const rewardRows = Joi.array().items(
  reward
    .keys({ stats: rewardStats.description('With expand=stats.'), last30 })
    .meta({ name: 'RewardRow' }),
);

const source = Joi.string().valid(...REDEMPTION_SOURCES);
export const redemptionStatus = Joi.string().valid(...REDEMPTION_STATUSES);

export interface RedeemBody {
  reward_id: string;
  client_id: string;
  source?: string;
  metadata?: object;
  skip_points_cost?: boolean;
  send_notification?: unknown;
  dry_run?: boolean;
}

export const redeemReward = Joi.object<RedeemBody>({
  reward_id: uuid().required(),
  client_id: uuid().required(),
  source: source.default('admin'),
  metadata: jsonObject(),
  skip_points_cost: Joi.boolean().default(false),
  // Outside the validated schema (part 1): only an explicit false means anything.
  send_notification: Joi.any(),
  dry_run: Joi.boolean(),
});

export const couponStatus = Joi.string().valid(...COUPON_STATUSES);

export const coupon = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  reward_id: uuid().required(),
  code: Joi.string().required(),
  status: couponStatus.required(),
  redemption_id: nullable(uuid()).required(),
  imported: Joi.boolean().required(),
  used_at: nullable(timestamp()).required(),
  date_created: timestamp().required(),
}).meta({ name: 'Coupon' });
export const coupons = Joi.array().items(coupon);

export const redemption = Joi.object({
  id: uuid().required(),
  reward_id: uuid().required(),
  client_id: uuid().required(),
  workspace_id: uuid().required(),
  points_spent: amount().required(),
  points_ledger_id: nullable(uuid()).required(),
  coupon_id: nullable(uuid()).required(),
  status: redemptionStatus.required(),
  redemption_date: timestamp().required(),
  source: source.required(),
  metadata: jsonObject().required(),
  used_at: nullable(timestamp()).required(),
  cancelled_at: nullable(timestamp()).required(),
  coupon_code: nullable(Joi.string()).required(),
  coupon_status: nullable(couponStatus).required(),
  reward_name: Joi.string().allow('').required(),
  wallet_type_id: nullable(uuid()).required(),
}).meta({ name: 'Redemption' });
export const redemptions = Joi.array().items(redemption);

const redeemed = Joi.object({
  redemption: redemption.required(),
  coupon: nullable(coupon).required(),
  points_ledger_id: nullable(uuid()).required(),
});
const preview = Joi.object({
  would_succeed: Joi.boolean().required(),
  reason: nullable(Joi.string()).required(),
  points_cost: amount().required(),
  balance_after: nullable(amount()).required(),
});
export const redeemAnswer = Joi.alternatives(redeemed, preview);

/** From a day or moment to another, both of it. */
export const period = { from_date: dateOrTimestamp(), to_date: toDate() };

export const listRedemptions = Joi.object<{
  reward_id?: string;
  client_id?: string;
  status?: string;
  source?: string;
  from_date?: string;
  to_date?: string;
  limit: number;
  offset?: number;
  workspace_id?: never;
  expand?: string[];
}>({
  reward_id: uuid(),
  client_id: uuid(),
  status: redemptionStatus,
  source,
  ...period,
  // Accepted and without effect: the workspace of the path decides (part 1).
  workspace_id: Joi.any().strip(),
  ...page({ limitMax: 500, limitDefault: 50 }),
  expand: expandClient,
});
export const redemptionsOfPeople = Joi.array().items(
  redemption.keys({ client: clientOfRow }).meta({ name: 'RedemptionOfPerson' }),
);

export const useRedemption = Joi.object<{ used: boolean }>({ used: Joi.boolean().default(true) });
const ofRedemption = Joi.object({
  redemption: redemption.required(),
  coupon: nullable(coupon).required(),
});
export const redemptionWithCoupon = ofRedemption
  .keys({
    was_used: Joi.boolean()
      .required()
      .description(
        'Whether somebody else had marked it used before: then what it is for was handed over there.',
      ),
  })
  .meta({ name: 'RedemptionWithCoupon' });
export const cancelRedemption = Joi.object({});
export const cancelledRedemption = ofRedemption
  .keys({
    refunded_points: amount().required(),
    points_ledger_id: nullable(uuid()).required(),
  })
  .meta({ name: 'CancelledRedemption' });
