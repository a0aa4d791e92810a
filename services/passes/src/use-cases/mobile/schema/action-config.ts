import type { AppActionType } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { amount, checked, Joi, text, uuid } from './fields';

const CODE_MAX = 50;
const FIELD_NAME_MAX = 255;
const NOTE_MAX = 500;
const TRANSACTION_TYPE_MAX = 100;
export const DURATION_DAYS_MAX = 3_650;
const LIST_MAX = 1_000;

export interface PointsConfig {
  wallet_type_codes?: string[];
  default_points?: number;
  max_points?: number;
  default_note?: string;
}
export interface TransactionConfig {
  transaction_type?: string;
  default_amount?: number;
  require_description?: boolean;
}
export interface ClientDataConfig {
  allowed_fields?: string[];
}
export interface TierConfig {
  excluded_tier_ids?: string[];
  allow_duration?: boolean;
  default_duration_days?: number | null;
}

const points = Joi.object<PointsConfig>({
  wallet_type_codes: Joi.array().items(text(CODE_MAX, 1)).unique().max(LIST_MAX),
  default_points: amount().min(0),
  max_points: amount().greater(0),
  default_note: text(NOTE_MAX),
}).custom((config: PointsConfig, helpers) =>
  config.default_points !== undefined &&
  config.max_points !== undefined &&
  config.default_points > config.max_points
    ? helpers.message({ custom: 'default_points must not be above max_points' })
    : config,
);
const reward = Joi.object<JsonObject>({});

const FORMS: { [Type in AppActionType]: Joi.ObjectSchema } = {
  add_points: points,
  remove_points: points,
  add_transaction: Joi.object<TransactionConfig>({
    transaction_type: text(TRANSACTION_TYPE_MAX, 1),
    default_amount: amount().min(0),
    require_description: Joi.boolean(),
  }),
  update_client_data: Joi.object<ClientDataConfig>({
    allowed_fields: Joi.array().items(text(FIELD_NAME_MAX, 1)).unique().max(LIST_MAX),
  }),
  redeem_reward: reward,
  grant_reward: reward,
  change_tier: Joi.object<TierConfig>({
    excluded_tier_ids: Joi.array().items(uuid()).unique().max(LIST_MAX),
    allow_duration: Joi.boolean(),
    default_duration_days: Joi.number().integer().min(1).max(DURATION_DAYS_MAX).allow(null),
  }),
};

/** An action's config in the form that its type takes (part 2, action_config by type); anything else is refused. */
export function checkedActionConfig(type: AppActionType, config: unknown): JsonObject {
  return checked('action_config', FORMS[type] as Joi.ObjectSchema<JsonObject>, config);
}
