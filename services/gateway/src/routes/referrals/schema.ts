import { REFERRAL_STATUSES } from '@laurel/contract';
import { Joi, nullable, page, text, timestamp, uuid } from '../../schema/types';

const EXPIRY_DAYS_MAX = 3_650;
const ANALYTICS_DAYS_MAX = 365;
const ANALYTICS_DAYS_DEFAULT = 90;

const criteria = Joi.string().valid('pass_install', 'first_transaction');
const status = Joi.string().valid(...REFERRAL_STATUSES);
const count = () => Joi.number().integer().min(0).required();

export const putProgram = Joi.object<{
  enabled: boolean;
  completion_criteria: string;
  distribution_id?: string | null;
  pending_expiry_days?: number | null;
  max_referrals_per_referrer?: number | null;
}>({
  enabled: Joi.boolean().required(),
  completion_criteria: criteria.required(),
  distribution_id: nullable(uuid()),
  pending_expiry_days: nullable(Joi.number().integer().min(1).max(EXPIRY_DAYS_MAX)),
  max_referrals_per_referrer: nullable(Joi.number().integer().min(1).max(Number.MAX_SAFE_INTEGER)),
});

export const program = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  enabled: Joi.boolean().required(),
  completion_criteria: criteria.required(),
  distribution_id: nullable(uuid()).required(),
  pending_expiry_days: nullable(Joi.number().integer()).required(),
  max_referrals_per_referrer: nullable(Joi.number().integer()).required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
}).meta({ name: 'ReferralProgram' });

export const deletedProgram = Joi.object({
  deleted: Joi.boolean().valid(true).required(),
  cancelled_pending: count(),
});

export const stats = Joi.object({
  pending: count(),
  completed: count(),
  expired: count(),
  cancelled: count(),
});

export const clientReferral = Joi.object({
  code: nullable(Joi.string()).required(),
  share_url: nullable(Joi.string().uri()).required(),
  stats: stats.required(),
  program_enabled: Joi.boolean().required(),
});

export const listReferrals = Joi.object<{
  status?: string;
  referrer_client_id?: string;
  referee_client_id?: string;
  search?: string;
  limit: number;
  offset?: number;
}>({
  status,
  referrer_client_id: uuid(),
  referee_client_id: uuid(),
  search: text(255),
  ...page({ limitMax: 100, limitDefault: 50 }),
});

const optionalText = () => nullable(Joi.string().allow('')).required();

export const referrals = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    workspace_id: uuid().required(),
    referrer_client_id: nullable(uuid()).required(),
    referee_client_id: nullable(uuid()).required(),
    referral_code: Joi.string().required(),
    status: status.required(),
    completion_criteria: criteria.required(),
    qualifying_event_type: optionalText(),
    qualifying_event_id: optionalText(),
    completed_at: nullable(timestamp()).required(),
    cancelled_at: nullable(timestamp()).required(),
    expires_at: nullable(timestamp()).required(),
    date_created: timestamp().required(),
    date_updated: timestamp().required(),
    referrer_first_name: optionalText(),
    referrer_last_name: optionalText(),
    referrer_email: optionalText(),
    referee_first_name: optionalText(),
    referee_last_name: optionalText(),
    referee_email: optionalText(),
  }),
);

export const getAnalytics = Joi.object<{ days: number }>({
  days: Joi.number().integer().min(1).max(ANALYTICS_DAYS_MAX).default(ANALYTICS_DAYS_DEFAULT),
});

export const analytics = Joi.object({
  timeline: Joi.array()
    .items(Joi.object({ date: Joi.string().required(), created: count(), completed: count() }))
    .required(),
  top_referrers: Joi.array()
    .items(
      Joi.object({
        client_id: uuid().required(),
        first_name: optionalText(),
        last_name: optionalText(),
        email: optionalText(),
        completed_count: count(),
        pending_count: count(),
      }),
    )
    .required(),
});

export const cancelledReferral = Joi.object({
  id: uuid().required(),
  status: Joi.string().valid('cancelled').required(),
  cancelled_at: timestamp().required(),
});

export const completedReferral = Joi.object({
  id: uuid().required(),
  status: Joi.string().valid('completed').required(),
  qualifying_event_type: Joi.string().required(),
});

export const cancelledReferrals = Joi.object({ cancelled: count() });
