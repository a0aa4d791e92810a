import { RESYNC_STATUSES, TIER_METRICS, TIER_REASONS } from '@laurel/contract';
import {
  colour,
  Joi,
  nonNegativeAmount,
  nullable,
  oneLine,
  page,
  programmeKey,
  queryList,
  shownKey,
  text,
  timestamp,
  uuid,
} from '../../schema/types';

const LOOKBACK_DAYS_MAX = 3_650;
const DURATION_DAYS_MAX = 3_650;
const SORT_ORDER_MAX = 1_000_000;
const TIERS_MAX = 200;
const BENEFITS_MAX = 100;
const RECALCULATED_MAX = 10_000;

export interface ConditionBody {
  type: string;
  wallet_type_code?: string;
}
const condition = Joi.object<ConditionBody>({
  type: Joi.string()
    .valid(...TIER_METRICS)
    .required(),
  wallet_type_code: text(50, 1).when('type', {
    not: 'total_earned',
    // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
    then: Joi.forbidden().messages({
      'any.unknown': '{{#label}} is allowed with total_earned only',
    }),
  }),
});
const conditions = Joi.array().items(condition).max(20);
const downgradeConfig = Joi.object<{ lookback_days?: number }>({
  lookback_days: Joi.number().integer().min(0).max(LOOKBACK_DAYS_MAX),
});

export interface TierSetBody {
  name?: string;
  active?: boolean;
  conditions?: ConditionBody[];
  downgrade_config?: { lookback_days?: number };
}
const setFields = {
  name: oneLine(255, 1),
  active: Joi.boolean(),
  conditions,
  downgrade_config: downgradeConfig,
};
export const createTierSet = Joi.object<TierSetBody & { name: string }>({
  ...setFields,
  name: setFields.name.required(),
});
export const updateTierSet = Joi.object<TierSetBody>(setFields);

const benefit = Joi.object({
  id: text(255, 1).required(),
  label: oneLine(255, 1).required(),
  value: Joi.alternatives(text(2_000), Joi.number(), Joi.boolean()).allow(null),
});
const conditionValues = Joi.object<Record<string, number>>({
  total_earned: nonNegativeAmount(),
  total_spending: nonNegativeAmount(),
  transaction_count: nonNegativeAmount(),
});
const notificationConfig = Joi.object({
  send_on_promotion: Joi.boolean(),
  send_on_demotion: Joi.boolean(),
  promotion_body: nullable(text(2_000)),
  demotion_body: nullable(text(2_000)),
});

export interface TierBody {
  key?: string | null;
  name?: string;
  description?: string | null;
  sort_order?: number;
  kind?: string;
  condition_values?: Record<string, number>;
  benefits?: { id: string; label: string; value?: string | number | boolean | null }[];
  color?: string | null;
  icon?: string | null;
  pass_sync_config?: { field_name?: string; sync_value?: string };
  pass_template_id?: string | null;
  notification_config?: Record<string, boolean | string | null> | null;
}
const tierFields = {
  key: programmeKey(),
  name: oneLine(255, 1),
  description: nullable(text(2_000)),
  sort_order: Joi.number().integer().min(0).max(SORT_ORDER_MAX),
  kind: Joi.string().valid('auto', 'exclusive'),
  condition_values: conditionValues,
  benefits: Joi.array().items(benefit).max(BENEFITS_MAX),
  color: nullable(colour()),
  icon: nullable(text(255)),
  pass_sync_config: Joi.object({ field_name: text(255, 1), sync_value: text(2_000) }),
  pass_template_id: nullable(uuid()),
  notification_config: nullable(notificationConfig),
};
export const createTier = Joi.object<TierBody & { name: string }>({
  ...tierFields,
  name: tierFields.name.required(),
  condition_values: conditionValues.required(),
});
export const updateTier = Joi.object<TierBody>(tierFields);

export const reorderTiers = Joi.object<{ tier_ids: string[] }>({
  tier_ids: Joi.array().items(uuid()).max(TIERS_MAX).required(),
});

export const assignTier = Joi.object<{
  client_id: string;
  tier_id: string;
  duration_days?: number | null;
}>({
  client_id: uuid().required(),
  tier_id: uuid().required(),
  duration_days: nullable(Joi.number().integer().min(1).max(DURATION_DAYS_MAX)),
});
export const unassignTier = Joi.object<{ client_id: string }>({ client_id: uuid().required() });

export interface PreviewBody {
  conditions?: ConditionBody[];
  downgrade_config?: { lookback_days?: number };
  tiers?: (TierBody & { id?: string })[];
}
export const previewTiers = Joi.object<PreviewBody>({
  conditions,
  downgrade_config: downgradeConfig,
  // Whole tiers, as they are read, with what would be different; looks do not matter here.
  tiers: Joi.array()
    .items(Joi.object({ ...tierFields, id: uuid(), tier_set_id: uuid(), workspace_id: uuid() }))
    .max(TIERS_MAX),
});
export const recalculateTiers = Joi.object<{ client_ids?: string[] }>({
  client_ids: Joi.array().items(uuid()).min(1).max(RECALCULATED_MAX),
});

export interface ListTierClients {
  tier_id?: string;
  search?: string;
  pass_template_id?: string;
  limit: number;
  offset?: number;
  /** cf_<field name>: any of the values. */
  [customField: `cf_${string}`]: string[];
}
export const listTierClients = Joi.object<ListTierClients>({
  tier_id: Joi.alternatives(Joi.string().valid('untiered', 'loyalty_disabled'), uuid()),
  search: text(255),
  pass_template_id: uuid(),
  ...page({ limitMax: 200, limitDefault: 50 }),
}).pattern(/^cf_.+$/, queryList(text(300)));

export const listHistory = Joi.object<{ limit: number }>({
  limit: Joi.number().integer().min(1).max(1_000).default(50),
});
export const listResyncJobs = Joi.object<{ limit: number; offset?: number }>(
  page({ limitMax: 1_000, limitDefault: 50 }),
);

export const tier = Joi.object({
  id: uuid().required(),
  tier_set_id: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  name: Joi.string().required(),
  description: nullable(Joi.string()).required(),
  sort_order: Joi.number().integer().required(),
  kind: Joi.string().valid('auto', 'exclusive').required(),
  condition_values: conditionValues.required(),
  benefits: Joi.array().items(benefit).required(),
  color: nullable(Joi.string()).required(),
  icon: nullable(Joi.string()).required(),
  pass_sync_config: tierFields.pass_sync_config.required(),
  pass_template_id: nullable(uuid()).required(),
  notification_config: nullable(notificationConfig).required(),
}).meta({ name: 'Tier' });
export const tiers = Joi.array().items(tier);
export const tierSet = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  name: Joi.string().required(),
  active: Joi.boolean().required(),
  conditions: conditions.required(),
  downgrade_config: downgradeConfig.required(),
  tiers: tiers.required(),
}).meta({ name: 'TierSet' });
export const tierSetOrNull = tierSet.allow(null);

const resyncJobId = nullable(uuid()).required();
export const changedTierSet = Joi.object({ data: tierSet.required(), resync_job_id: resyncJobId });
export const changedTier = Joi.object({ data: tier.required(), resync_job_id: resyncJobId });
export const deletedTier = Joi.object({
  message: Joi.string().required(),
  resync_job_id: resyncJobId,
});
export const reorderedTiers = Joi.object({
  data: Joi.array()
    .items(Joi.object({ id: uuid().required(), sort_order: Joi.number().integer().required() }))
    .required(),
  resync_job_id: resyncJobId,
});

export const standing = Joi.object({
  client_id: uuid().required(),
  tier_id: nullable(uuid()).required(),
  manually_assigned: Joi.boolean().required(),
  promoted_at: nullable(timestamp()).required(),
  expires_at: nullable(timestamp()).required(),
}).meta({ name: 'TierStanding' });
const metrics = Joi.object({
  total_earned: Joi.number().required(),
  total_spending: Joi.number().required(),
  transaction_count: Joi.number().required(),
});
export const clientTier = Joi.object({
  tier: tier.allow(null).required(),
  manually_assigned: Joi.boolean().required(),
  promoted_at: nullable(timestamp()).required(),
  expires_at: nullable(timestamp()).required(),
  metrics: metrics.required(),
  progress: Joi.object({
    current_tier: tier.allow(null).required(),
    next_tier: tier.allow(null).required(),
    progress_to_next: Joi.number().min(0).max(1).required(),
    metric: nullable(Joi.string()).required(),
    metric_value: nullable(Joi.number()).required(),
    metric_target: nullable(Joi.number()).required(),
  }).required(),
}).allow(null);
export const history = Joi.array().items(
  Joi.object({
    from_tier_id: nullable(uuid()).required(),
    to_tier_id: nullable(uuid()).required(),
    reason: Joi.string()
      .valid(...TIER_REASONS)
      .required(),
    at: timestamp().required(),
  }),
);
export const tierClients = Joi.array().items(
  Joi.object({
    client_id: uuid().required(),
    first_name: nullable(Joi.string()).required(),
    last_name: nullable(Joi.string()).required(),
    email: nullable(Joi.string()).required(),
    tier_id: nullable(uuid()).required(),
    tier_name: nullable(Joi.string()).required(),
    tier_color: nullable(Joi.string()).required(),
    promoted_at: nullable(timestamp()).required(),
    manually_assigned: Joi.boolean().required(),
    condition_values: metrics.required(),
  }),
);
export const clientCounts = Joi.object({
  untiered: Joi.number().integer().required(),
  loyalty_disabled: Joi.number().integer().required(),
}).pattern(uuid(), Joi.number().integer());

const tierOrNew = nullable(Joi.string()).required();
export const preview = Joi.object({
  evaluated: Joi.number().integer().required(),
  unchanged: Joi.number().integer().required(),
  changes: Joi.array()
    .items(Joi.object({ from_tier_id: tierOrNew, to_tier_id: tierOrNew, count: Joi.number() }))
    .required(),
  sample: Joi.array()
    .items(Joi.object({ client_id: uuid(), from_tier_id: tierOrNew, to_tier_id: tierOrNew }))
    .max(50)
    .required(),
});
export const resyncJob = Joi.object({
  id: uuid().required(),
  status: Joi.string()
    .valid(...RESYNC_STATUSES)
    .required(),
  total: Joi.number().integer().required(),
  processed: Joi.number().integer().required(),
  promoted: Joi.number().integer().required(),
  demoted: Joi.number().integer().required(),
  started_at: nullable(timestamp()).required(),
  finished_at: nullable(timestamp()).required(),
  error: nullable(Joi.string()).required(),
}).meta({ name: 'TierResyncJob' });
export const resyncJobs = Joi.array().items(resyncJob);
