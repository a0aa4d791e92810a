import type { Json } from '@laurel/errors';
import { day, Joi, jsonObject, nullable, page, text, uuid } from '../../schema/types';
import { client } from '../clients/schema';
import { actions, configColumns } from '../mobile-app-config/schema';
import { pass } from '../passes/schema';
import { reward } from '../rewards/schema';
import { clientTier, tier } from '../tiers/schema';
import { wallets } from '../wallets/schema';

export { events } from '../events/schema';
export { entries } from '../points/schema';
export { redemptions } from '../rewards/schema';

const CODE_MAX = 50;

export const app = Joi.object({
  config: Joi.object(configColumns).required(),
  actions: actions.required(),
  data_model: Joi.array()
    .items(
      Joi.object({
        field_name: Joi.string().required(),
        field_label: Joi.string().required(),
        field_type: Joi.string().required(),
        is_required: Joi.boolean().required(),
        is_system: Joi.boolean().required(),
        sort_order: Joi.number().integer().required(),
      }),
    )
    .required(),
  wallet_types: Joi.array()
    .items(
      Joi.object({
        code: Joi.string().required(),
        name: Joi.string().required(),
        unit_singular_name: nullable(Joi.string().allow('')).required(),
        unit_plural_name: nullable(Joi.string().allow('')).required(),
      }),
    )
    .required(),
}).allow(null);

export const search = Joi.object<{ q: string; limit: number }>({
  q: text(255, 1).required(),
  limit: Joi.number().integer().min(1).max(20).default(20),
});

export interface PageQuery {
  limit: number;
  offset?: number;
}
const paged = page({ limitMax: 100, limitDefault: 20 });
export const listPage = Joi.object<PageQuery>(paged);
export const listEntries = Joi.object<PageQuery & { wallet_type_code?: string }>({
  wallet_type_code: text(CODE_MAX, 1),
  ...paged,
});

const passOfClient = pass
  .keys({ client: nullable(client).required() })
  .meta({ name: 'PassOfClient' });
export const passes = Joi.array().items(passOfClient);
export const wholePass = passOfClient
  .keys({
    tier: tier.allow(null).required(),
    wallets: wallets.required(),
  })
  .meta({ name: 'StaffAppPass' });
export const loyalty = Joi.object({
  wallets: wallets.required(),
  tier: tier.allow(null).required(),
  progress: clientTier.extract('progress').allow(null).required(),
});
export const rewards = Joi.array().items(
  reward
    .keys({
      can_afford: Joi.boolean().required(),
      is_locked: Joi.boolean().required(),
      reason: nullable(Joi.string()).required(),
    })
    .meta({ name: 'RewardAtCounter' }),
);

export const execute = Joi.object<{ pass_id: string; data?: Json }>({
  pass_id: uuid().required(),
  data: jsonObject(),
});
export const executed = Joi.object({
  action_id: uuid().required(),
  action_type: Joi.string().required(),
  status: Joi.string().valid('success').required(),
  result: Joi.object().unknown(true).required(),
  balances: Joi.array()
    .items(
      Joi.object({
        wallet_type_code: Joi.string().required(),
        active_balance: Joi.number().required(),
        pending_balance: Joi.number().required(),
      }),
    )
    .required(),
});

export const receipt = Joi.object({
  amount: nullable(Joi.number()).required(),
  currency: nullable(Joi.string().length(3)).required(),
  date: nullable(day()).required(),
  merchant: nullable(Joi.string()).required(),
  raw_text: nullable(Joi.string()).required(),
  confidence: nullable(Joi.number().min(0).max(1)).required(),
});
