import { PERIODS } from '@laurel/contract';
import { amount, Joi, uuid } from '../../schema/types';
import { period, redemptionStatus } from './schema';

const TOP_MAX = Number.MAX_SAFE_INTEGER;

interface Period {
  from_date?: string;
  to_date?: string;
  status?: string;
  exclude_cancelled?: boolean;
}

export const topRewards = Joi.object<Period & { limit?: number }>({
  ...period,
  status: redemptionStatus,
  exclude_cancelled: Joi.boolean(),
  // Clamped by the service, not refused (part 1).
  limit: Joi.number().integer().min(-TOP_MAX).max(TOP_MAX),
});
export const topRewardsAnswer = Joi.object({
  rewards: Joi.array()
    .items(
      Joi.object({
        reward_id: uuid().required(),
        reward_name: Joi.string().allow('').required(),
        redemption_count: Joi.number().required(),
        points_spent: amount().required(),
      }),
    )
    .required(),
  total_count: Joi.number().required(),
  total_points_spent: amount().required(),
});

export const aggregateRedemptions = Joi.object<Period & { group_by_time?: string }>({
  ...period,
  status: redemptionStatus,
  exclude_cancelled: Joi.boolean(),
  group_by_time: Joi.string().valid(...PERIODS),
});
const bucket = Joi.object({
  date: Joi.string().required(),
  count: Joi.number().required(),
  points_spent: amount().required(),
});
export const aggregateAnswer = Joi.object({
  count: Joi.number().required(),
  points_spent: amount().required(),
  buckets: Joi.array().items(bucket),
});
