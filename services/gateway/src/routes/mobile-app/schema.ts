import type { Json } from '@laurel/errors';
import {
  dateOrTimestamp,
  day,
  email,
  Joi,
  jsonObject,
  nullable,
  oneLine,
  page,
  text,
  timestamp,
  toDate,
  uuid,
} from '../../schema/types';
import { client } from '../clients/schema';
import { actions, configColumns } from '../mobile-app-config/schema';
import { pass } from '../passes/schema';
import { reward } from '../rewards/schema';
import { clientTier, tier } from '../tiers/schema';
import { wallets } from '../wallets/schema';

export { couponVerdict, validateCoupon } from '../coupons/schema';
export { events } from '../events/schema';
export { entries } from '../points/schema';
export { redemptions, redemptionWithCoupon, useRedemption } from '../rewards/schema';

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

const noLink = () =>
  nullable(Joi.string().uri())
    .required()
    .description('Null: who has a link of a pass is its client for the portal.');
const passOfClient = pass
  .keys({
    client: nullable(client).required(),
    apple_pass_url: noLink(),
    apple_qrcode_url: noLink(),
    google_pass_url: noLink(),
    google_qrcode_url: noLink(),
  })
  .meta({ name: 'PassOfClient' });
export const passes = Joi.array().items(passOfClient);
export const wholePass = passOfClient
  .keys({
    tier: tier.allow(null).required(),
    wallets: wallets.required(),
  })
  .meta({ name: 'StaffAppPass' });
export interface SignUpBody {
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
  phone?: string | null;
  birth_date?: string | null;
  marketing_consent?: boolean;
  marketing_consent_text?: string | null;
  custom_fields?: Json;
  pass_template_id?: string;
}
export const signUp = Joi.object<SignUpBody>({
  first_name: nullable(oneLine(255)),
  last_name: nullable(oneLine(255)),
  email: nullable(email()),
  phone: nullable(text(50)),
  birth_date: nullable(day()),
  marketing_consent: Joi.boolean(),
  marketing_consent_text: nullable(text(2_000)).description('The words in which it was asked for.'),
  custom_fields: jsonObject(),
  pass_template_id: uuid().description('If it is left out, the first card that is for everybody.'),
}).or('first_name', 'last_name', 'email', 'phone');
export const signedUp = wholePass
  .keys({
    apple_pass_url: nullable(Joi.string().uri()).required(),
    google_pass_url: nullable(Joi.string().uri()).required(),
  })
  .description('The links are those of a card that was made by this sign-up, for the new client.')
  .meta({ name: 'SignedUp' });
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

export const execute = Joi.object<{ pass_id: string; data?: Json; occurred_at?: string }>({
  pass_id: uuid().required(),
  data: jsonObject(),
  occurred_at: timestamp().description(
    'When it happened, at most 72 hours ago; of purchases, refunds and added points.',
  ),
});
const balances = Joi.array().items(
  Joi.object({
    wallet_type_code: Joi.string().required(),
    active_balance: Joi.number().required(),
    pending_balance: Joi.number().required(),
  }),
);
export const executed = Joi.object({
  action_id: uuid().required(),
  action_type: Joi.string().required(),
  status: Joi.string().valid('success').required(),
  result: Joi.object().unknown(true).required(),
  balances: balances.required(),
});

export const quote = Joi.object<{ pass_id: string; data?: Json }>({
  pass_id: uuid().required(),
  data: jsonObject(),
});
export const quoted = Joi.object({
  effects: Joi.array()
    .items(
      Joi.object({
        type: Joi.string()
          .required()
          .description('What the action does itself, or the effect of a rule.'),
        summary: Joi.string().required(),
        wallet_type_code: nullable(Joi.string()).required(),
        points: nullable(Joi.number()).required().description('Below zero where they would go.'),
      }),
    )
    .required(),
  balances: balances.required(),
  is_cut: Joi.boolean()
    .required()
    .description('Rules may do more than `effects` tells, which took too long to foretell.'),
});

const WAIT_SECONDS_MAX = 5;
export const follow = Joi.object<{ wait: number }>({
  wait: Joi.number().min(0).max(WAIT_SECONDS_MAX).default(0).description('Seconds.'),
});
export const followed = Joi.object({
  id: uuid().required(),
  state: Joi.string().valid('running', 'done').required(),
  entries: Joi.array()
    .items(
      Joi.object({
        id: uuid().required(),
        wallet_type_code: Joi.string().required(),
        amount: Joi.number().required(),
        rule_name: nullable(Joi.string())
          .required()
          .description('Null for what the action itself moved.'),
      }),
    )
    .required(),
  rewards: Joi.array()
    .items(
      Joi.object({
        id: uuid().required(),
        name: Joi.string().required(),
        redemption_id: uuid().required(),
        coupon_code: nullable(Joi.string()).required(),
        rule_name: Joi.string().required(),
      }),
    )
    .required()
    .description('That rules gave for it.'),
  failed_rules: Joi.array()
    .items(Joi.string())
    .required()
    .description(
      'Names of rules that could not do all they should, such as give a reward that ran out.',
    ),
  tier: tier.allow(null).required(),
  balances: balances.required(),
  undone_at: nullable(Joi.string().isoDate()).required(),
});

export const receipt = Joi.object({
  amount: nullable(Joi.number()).required(),
  currency: nullable(Joi.string().length(3)).required(),
  date: nullable(day()).required(),
  merchant: nullable(Joi.string()).required(),
  raw_text: nullable(Joi.string()).required(),
  confidence: nullable(Joi.number().min(0).max(1)).required(),
});

export const undone = Joi.object({
  undone: Joi.array()
    .items(
      Joi.object({
        type: Joi.string().valid('entry', 'redemption', 'refund').required(),
        id: uuid()
          .required()
          .description('Of the entry or event that takes it back, or of the redemption.'),
        amount: Joi.number()
          .required()
          .description('Points that moved back, or the money of a refund.'),
      }),
    )
    .required(),
  balances: balances.required(),
});

export const recent = Joi.object<{ limit: number }>({
  limit: Joi.number().integer().min(1).max(100).default(20),
});

export const activity = Joi.object<{
  user_id?: string;
  from_date?: string;
  to_date?: string;
  limit: number;
  cursor?: string;
}>({
  user_id: uuid().description('Of the mobile app user.'),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  limit: Joi.number().integer().min(1).max(200).default(50),
  cursor: Joi.string().max(500),
});
export const activityMeta = Joi.object({
  limit: Joi.number().integer().required(),
  next_cursor: nullable(Joi.string()).required(),
});

export const operations = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    action_id: uuid().required(),
    action_name: Joi.string().required().description('As it was called then.'),
    action_type: Joi.string().required(),
    mobile_user_id: nullable(uuid()).required(),
    session_id: uuid().required().description('The device.'),
    pass_id: uuid().required(),
    client_id: uuid().required(),
    client_name: nullable(Joi.string()).required(),
    amount: nullable(Joi.number())
      .required()
      .description('Points, or the money of a purchase or refund; null where neither moved.'),
    wallet_type_code: nullable(Joi.string()).required(),
    currency: nullable(Joi.string()).required(),
    at: Joi.string().isoDate().required(),
    occurred_at: nullable(Joi.string().isoDate()).required(),
    undone_at: nullable(Joi.string().isoDate()).required(),
    undoable: Joi.boolean().required().description('Whether its device may still take it back.'),
  }).meta({ name: 'StaffOperation' }),
);
