import type { JsonObject } from '@laurel/errors';
import {
  amount,
  email,
  Joi,
  jsonObject,
  nullable,
  page,
  text,
  timestamp,
  uuid,
} from '../../schema/types';
import { publicPortalConfig } from '../portal-config/schema';

export { publicPortalConfig };

import { tier, tierSet } from '../tiers/schema';

/** Slugs are lower-case; who types the address of a portal need not care. */
const slug = Joi.string()
  .max(63)
  .custom((value: string) => value.trim().toLowerCase());
const points = amount();
const count = Joi.number().integer().min(0);

export const findPortal = Joi.object<{ workspace_slug: string }>({
  workspace_slug: slug.required(),
});

export interface OpenSession {
  workspace_slug: string;
  client_id?: string;
  link_token?: string;
}
export const openSession = Joi.object<OpenSession>({
  workspace_slug: slug.required(),
  client_id: uuid(),
  link_token: text(1_000, 1),
})
  .xor('client_id', 'link_token')
  .messages({
    'object.missing': 'client_id is required, or link_token in its place',
    'object.xor': 'send either client_id or link_token',
  });

export const requestCode = Joi.object<{ workspace_slug: string; email: string }>({
  workspace_slug: slug.required(),
  email: email().required(),
});
export const verifyCode = Joi.object<{ workspace_slug: string; email: string; code: string }>({
  workspace_slug: slug.required(),
  email: email().required(),
  code: text(20, 1).required(),
});
export const sent = Joi.object({ sent: Joi.boolean().required() });

export interface StatementQuery {
  wallet_type_code?: string;
  limit: number;
  cursor?: string;
}
export const listStatement = Joi.object<StatementQuery>({
  wallet_type_code: text(50, 1),
  limit: Joi.number().integer().min(1).max(100).default(20),
  cursor: text(500),
});
export const statementMeta = Joi.object({
  total_count: Joi.number().integer().required(),
  returned_count: Joi.number().integer().required(),
  next_cursor: nullable(Joi.string()).required(),
  expiring: Joi.array()
    .items(Joi.object({ amount: Joi.number().required(), expires_at: timestamp().required() }))
    .required(),
});
export const statement = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    wallet_type_code: Joi.string().required(),
    type: Joi.string().required(),
    status: Joi.string().required(),
    amount: Joi.number().required(),
    balance_after: Joi.number().required(),
    description: nullable(Joi.string().allow('')).required(),
    expires_at: nullable(Joi.string().isoDate()).required(),
    created_at: Joi.string().isoDate().required(),
  }),
);

const person = {
  id: uuid().required(),
  first_name: nullable(Joi.string()).required(),
  last_name: nullable(Joi.string()).required(),
  email: nullable(Joi.string()).required(),
};

export const session = Joi.object({
  token: Joi.string().required(),
  client: Joi.object(person).required(),
  workspace: Joi.object({
    id: uuid().required(),
    slug: Joi.string().required(),
    name: Joi.string().required(),
    default_locale: Joi.string().required(),
  }).required(),
  portal: publicPortalConfig.required(),
}).meta({ name: 'PortalSession' });

export const me = Joi.object({
  ...person,
  custom_fields: jsonObject().required(),
  workspace_id: uuid().required(),
  marketing_consent: Joi.boolean().required(),
});

export const setConsent = Joi.object<{ consent: boolean }>({ consent: Joi.boolean().required() });
export const consent = Joi.object({ marketing_consent: Joi.boolean().required() });

export interface Erase {
  email?: string;
  phone?: string;
  confirm_erase?: boolean;
}
// Only types are checked here: what does not fit the record is answered alike, whatever it is.
export const erase = Joi.object<Erase>({
  email: text(1_000),
  phone: text(1_000),
  confirm_erase: Joi.boolean(),
});
export const erased = Joi.object({ success: Joi.boolean().required() });

const units = {
  unit_singular_name: nullable(Joi.string()).required(),
  unit_plural_name: nullable(Joi.string()).required(),
};
const wallet = nullable(
  Joi.object({
    wallet_type_id: uuid().required(),
    wallet_type_code: Joi.string().required(),
    wallet_type_name: Joi.string().required(),
    ...units,
  }),
).required();

const rewardForClient = {
  id: uuid().required(),
  name: Joi.string().required(),
  description: nullable(Joi.string().allow('')).required(),
  image_url: nullable(Joi.string().allow('')).required(),
  cost_points: points.required(),
  wallet,
  can_afford: Joi.boolean().required(),
  is_locked: Joi.boolean().required(),
  reason: nullable(Joi.string()).required(),
};
export const rewards = Joi.array().items(Joi.object(rewardForClient));
export const reward = Joi.object({
  ...rewardForClient,
  cost_in_points: points.required(),
  wallet_type_id: nullable(uuid()).required(),
  monetary_value: nullable(points).required(),
  categories: Joi.array().items(Joi.string()).required(),
  availability_start: nullable(timestamp()).required(),
  availability_end: nullable(timestamp()).required(),
}).meta({ name: 'PortalReward' });

export const redeem = Joi.object<{ metadata?: JsonObject }>({ metadata: jsonObject() });
export const redeemed = Joi.object({
  redemption_id: uuid().required(),
  status: Joi.string().required(),
  reward_name: Joi.string().required(),
  coupon_code: nullable(Joi.string()).required(),
  coupon_status: nullable(Joi.string()).required(),
  redeemed_at: timestamp().required(),
});

export const getBalance = Joi.object<{ wallet_type_code?: string }>({
  wallet_type_code: text(50, 1),
});
export const balances = Joi.array().items(
  Joi.object({
    wallet_type_id: uuid().required(),
    wallet_type_code: Joi.string().required(),
    wallet_type_name: Joi.string().required(),
    active_balance: points.required(),
    pending_balance: points.required(),
    ...units,
  }),
);

export const passes = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    name: Joi.string().required(),
    barcode_value: Joi.string().required(),
    apple_pass_url: nullable(Joi.string()).required(),
    google_pass_url: nullable(Joi.string()).required(),
  }),
);

export const listRedemptions = Joi.object<{ limit: number; offset?: number }>(
  page({ limitMax: 100, limitDefault: 20 }),
);
export const redemptions = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    reward_id: uuid().required(),
    reward_name: Joi.string().allow('').required(),
    cost_points: points.required(),
    wallet,
    status: Joi.string().required(),
    redeemed_at: timestamp().required(),
    coupon_code: nullable(Joi.string()).required(),
    coupon_status: nullable(Joi.string()).required(),
    used_at: nullable(timestamp()).required(),
    handed_over: Joi.boolean()
      .required()
      .description('True also of what was redeemed at the till, which hands it over right then.'),
  }),
);

/** Of a tier what concerns those who are in it or on their way. */
const SHOWN_OF_TIER = [
  'id',
  'name',
  'description',
  'sort_order',
  'kind',
  'condition_values',
  'benefits',
  'color',
  'icon',
];
const memberTier = Joi.object(
  Object.fromEntries(SHOWN_OF_TIER.map((name) => [name, tier.extract(name)])),
);
export const tierProgress = Joi.object({
  tier_set: nullable(
    Joi.object({
      id: uuid().required(),
      name: Joi.string().required(),
      active: Joi.boolean().required(),
      conditions: tierSet.extract('conditions'),
      tiers: Joi.array().items(memberTier).required(),
    }),
  ).required(),
  progress: nullable(
    Joi.object({
      current_tier: nullable(memberTier).required(),
      next_tier: nullable(memberTier).required(),
      progress_to_next: Joi.number().required(),
      metric: nullable(Joi.string()).required(),
      currency: nullable(Joi.string())
        .required()
        .description('The currency of what is counted; null where that is not money.'),
      metric_value: nullable(Joi.number()).required(),
      metric_target: nullable(Joi.number()).required(),
    }),
  ).required(),
});

export const referral = Joi.object({
  enabled: Joi.boolean().required(),
  code: nullable(Joi.string()),
  share_url: nullable(Joi.string()),
  stats: Joi.object({
    pending: count.required(),
    completed: count.required(),
    expired: count.required(),
    cancelled: count.required(),
  }),
});
