import { PASS_STATUSES, PUSH_STATUSES } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import {
  email,
  Joi,
  jsonObject,
  notBlank,
  nullable,
  page,
  text,
  timestamp,
  uuid,
} from '../../schema/types';
import { client } from '../clients/schema';

const NOTIFICATION_MAX = 2_000;
const BARCODE_MAX = 255;
const EMAIL_TEMPLATE_MAX = 200_000;
const DURATION_DAYS_MAX = 3_650;
/** What `fields` may ask for: columns, all of them, and those of the client. */
const FIELDS = /^(\*|\w+|client\.(\*|\w+))(,(\*|\w+|client\.(\*|\w+)))*$/;

export interface CreatePassBody {
  workspace_id?: string;
  project_id: string;
  pass_template_id: string;
  client_id?: string | null;
  pass_fields?: Json;
  barcode_value?: string;
}
export const createPass = Joi.object<CreatePassBody>({
  workspace_id: uuid(),
  project_id: uuid().required(),
  pass_template_id: uuid().required(),
  client_id: nullable(uuid()),
  pass_fields: jsonObject(),
  barcode_value: notBlank(text(BARCODE_MAX, 1)),
});

export interface UpdatePassBody {
  workspace_id?: string;
  notification?: string | null;
  pass_fields?: Json;
  client_id?: string | null;
  pass_template_id?: string;
  duration_days?: number | null;
  status?: string;
  expires_at?: string | null;
}
export const updatePass = Joi.object<UpdatePassBody>({
  workspace_id: uuid(),
  notification: nullable(text(NOTIFICATION_MAX)),
  pass_fields: jsonObject(),
  client_id: nullable(uuid()),
  pass_template_id: uuid(),
  status: Joi.string().valid(...PASS_STATUSES),
  expires_at: nullable(timestamp()).description(
    'From then on it is as good as voided; null: never. Who fills in the form again renews a card that ended by its template, and none that was ended, or made to end earlier, here.',
  ),
  duration_days: nullable(Joi.number().integer().min(1).max(DURATION_DAYS_MAX)).when(
    'pass_template_id',
    {
      not: Joi.exist(),
      // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
      then: Joi.forbidden().messages({
        'any.unknown': '{{#label}} says how long pass_template_id is to last',
      }),
    },
  ),
});

export const readPass = Joi.object<{ fields?: string }>({
  fields: Joi.string()
    .max(500)
    .pattern(FIELDS)
    .messages({ 'string.pattern.base': 'fields lists columns, e.g. *,client.*' }),
});

export const listPasses = Joi.object<{
  project_id?: string;
  pass_template_id?: string;
  limit: number;
  offset?: number;
  cursor?: string;
}>({
  project_id: uuid(),
  pass_template_id: uuid(),
  ...page({ limitMax: 1_000, limitDefault: 1_000, cursor: true }),
});

export const pass = Joi.object({
  id: uuid().required(),
  pass_template_id: uuid().required(),
  project_id: uuid().required(),
  workspace_id: uuid().required(),
  client_id: nullable(uuid()).required(),
  client,
  notification: nullable(Joi.string().allow('')).required(),
  pass_fields: Joi.object().unknown(true).required(),
  barcode_value: nullable(Joi.string()).required(),
  status: Joi.string()
    .valid(...PASS_STATUSES)
    .required(),
  expires_at: nullable(timestamp()).required(),
  template_expires_at: nullable(timestamp()).required(),
  previous_template_id: nullable(uuid()).required(),
  computed_metrics: Joi.object().pattern(Joi.string(), Joi.number()).required(),
  apple_pass_url: Joi.string().uri().required(),
  apple_qrcode_url: Joi.string().uri().required(),
  google_pass_url: Joi.string().uri().required(),
  google_qrcode_url: Joi.string().uri().required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
  user_created: nullable(uuid()).required(),
  user_updated: nullable(uuid()).required(),
}).meta({ name: 'Pass' });
export const passes = Joi.array().items(pass);

export const passCounts = Joi.object({
  total: Joi.number().integer().required(),
  apple: Joi.number().integer().required(),
  google: Joi.number().integer().required(),
});

export const noFields = Joi.object({});
export const queuedRefreshes = Joi.object({
  queued: Joi.boolean().valid(true).required(),
  templateCount: Joi.number().integer().required(),
});

export const listPushes = Joi.object<{
  status?: string;
  pass_id?: string;
  limit: number;
  cursor?: string;
}>({
  status: Joi.string().valid(...PUSH_STATUSES),
  pass_id: uuid(),
  limit: Joi.number().integer().min(1).max(100).default(20),
  cursor: Joi.string().max(500),
});
export const push = Joi.object({
  id: uuid().required(),
  pass_id: uuid().required(),
  status: Joi.string()
    .valid(...PUSH_STATUSES)
    .required(),
  attempts: Joi.number().integer().required(),
  error: nullable(Joi.string()).required(),
  asked_at: timestamp().required(),
  tried_at: nullable(timestamp()).required(),
  next_attempt_at: nullable(timestamp()).required(),
  // The text that it brings; null where only the card changes.
  notification: nullable(Joi.string().allow('')).required(),
}).meta({ name: 'PassPush' });
export const pushes = Joi.array().items(push);

export interface ResendPassBody {
  pass_id: string;
  email?: string;
  email_template?: string;
}
export const resendPass = Joi.object<ResendPassBody>({
  pass_id: uuid().required(),
  email: email(),
  email_template: text(EMAIL_TEMPLATE_MAX, 1),
});
export const resentPass = Joi.object({
  data: Joi.object({
    pass_id: uuid().required(),
    apple_pass_url: Joi.string().uri().required(),
    google_pass_url: Joi.string().uri().required(),
  }).required(),
  message: Joi.string().required(),
  success: Joi.boolean().valid(true).required(),
});

const nullableText = nullable(Joi.string().allow('')).required();
export const loyaltyRenderData = Joi.object({
  wallets: Joi.array()
    .items({
      wallet_type_code: Joi.string().required(),
      name: Joi.string().required(),
      balance: Joi.number().required(),
      unit_singular_name: nullableText,
      unit_plural_name: nullableText,
      is_default: Joi.boolean().required(),
    })
    .required(),
  tier: nullable(
    Joi.object({
      id: uuid().required(),
      name: Joi.string().required(),
      level: Joi.number().integer().required(),
      color: nullableText,
      icon: nullableText,
      description: nullableText,
    }),
  ).required(),
  benefits: Joi.array()
    .items({ id: Joi.string().required(), label: Joi.string().required(), value: Joi.any() })
    .required(),
  active_rewards: Joi.array()
    .items({
      redemption_id: uuid().required(),
      reward_id: uuid().required(),
      name: Joi.string().required(),
      coupon_code: nullableText,
      redemption_date: timestamp().required(),
    })
    .required(),
  available_rewards: Joi.array()
    .items({
      id: uuid().required(),
      name: Joi.string().required(),
      description: nullableText,
      cost_in_points: Joi.number().required(),
      can_afford: Joi.boolean().required(),
    })
    .required(),
  portal_url: nullable(Joi.string().uri()).required(),
  referral_code: nullableText,
});
