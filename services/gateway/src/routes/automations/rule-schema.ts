import {
  CHANGE_DIRECTIONS,
  CLIENT_METRICS,
  LIMIT_INTERVALS,
  RULE_OPERATORS,
  TRIGGER_ROLES,
  TRIGGER_TYPES,
} from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import {
  amount,
  Joi,
  nonNegativeAmount,
  notBlank,
  nullable,
  oneLine,
  positiveAmount,
  programmeKey,
  shownKey,
  text,
  timestamp,
  uuid,
} from '../../schema/types';

const NAME_MAX = 255;
const DESCRIPTION_MAX = 2_000;
const FORMULA_MAX = 2_000;
const PRIORITY_MAX = 1_000_000;
export const LIST_MAX = 100;
const DAYS_MAX = 36_500;
const DURATION_DAYS_MAX = 3_650;
const TIMES_MAX = 1_000;
const COUNT_MAX = 1_000_000_000;

export const triggerType = Joi.string().valid(...TRIGGER_TYPES);
const code = text(100, 1);
const names = Joi.array()
  .items(notBlank(text(100, 1)))
  .min(1)
  .max(LIST_MAX)
  .unique();
export const formula = text(FORMULA_MAX, 1);
const durationDays = nullable(Joi.number().integer().min(1).max(DURATION_DAYS_MAX));

const triggerConfig = Joi.object({
  event_types: names,
  min_amount: nonNegativeAmount(),
  max_amount: nonNegativeAmount(),
  field_names: names,
  change_direction: Joi.string().valid(...CHANGE_DIRECTIONS),
  value: Joi.alternatives(text(DESCRIPTION_MAX), Joi.number(), Joi.boolean()),
  role: Joi.string().valid(...TRIGGER_ROLES),
  schedule: Joi.object({ cron: text(100, 1).required(), timezone: text(100, 1) }),
});

const comparison = {
  operator: Joi.string()
    .valid(...RULE_OPERATORS)
    .required(),
  value: Joi.number().required(),
};

/** One form per `type`; whatever else stands in it is refused. */
function oneOf(forms: Record<string, Joi.PartialSchemaMap>): Joi.AlternativesSchema {
  const typed = Joi.object({ type: text(100, 1).required() }).unknown();
  return Joi.alternatives().conditional(typed, {
    // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
    then: Joi.alternatives().conditional('.type', {
      switch: Object.entries(forms).map(([type, members]) => ({
        is: type,
        // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
        then: Joi.object({ type: text(100, 1).required(), ...members }),
      })),
      otherwise: Joi.object({
        type: Joi.string()
          .valid(...Object.keys(forms))
          .required(),
      }).unknown(),
    }),
    otherwise: Joi.object({ type: text(100, 1).required() }).unknown(),
  });
}

const condition = oneOf({
  expression: { expression: formula.required() },
  segment: { segment_id: uuid().required() },
  tier: { tier_id: uuid().required() },
  wallet_balance: { wallet_type_code: code.required(), ...comparison },
  client_metric: {
    metric: Joi.string()
      .valid(...CLIENT_METRICS)
      .required(),
    period_days: Joi.number().integer().min(1).max(DAYS_MAX),
    wallet_type_code: code,
    ...comparison,
  },
});

/** Required where the amount is of this type, and out of place where it is not. */
function onlyWith(type: string): Joi.WhenOptions {
  // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
  return { is: type, then: Joi.required(), otherwise: Joi.forbidden() };
}

const effect = oneOf({
  earn_points: {
    wallet_type_code: code.required(),
    amount_type: Joi.string().valid('fixed', 'expression').required(),
    amount: positiveAmount().when('amount_type', onlyWith('fixed')),
    amount_expression: formula
      .when('amount_type', onlyWith('expression'))
      .description(
        'What it gives is awarded without what lies beyond the fourth decimal place: round(x, 4) rounds instead. Less than zero or no number fails the execution.',
      ),
  },
  deduct_points: { wallet_type_code: code.required(), amount: positiveAmount().required() },
  give_reward: { reward_id: uuid().required() },
  update_client_field: {
    field_name: text(100, 1).required(),
    value_expression: formula.required(),
  },
  send_push: {
    title: nullable(oneLine(NAME_MAX)),
    body: notBlank(text(DESCRIPTION_MAX, 1)).required(),
  },
  call_webhook: { webhook_id: uuid().required() },
  assign_tier: { tier_id: uuid().required(), duration_days: durationDays },
  remove_tier: { tier_id: uuid() },
  switch_template: { template_id: uuid().required(), duration_days: durationDays },
});

const limits = Joi.object({
  total_budget: nonNegativeAmount(),
  per_client_budget: nonNegativeAmount(),
  executions_per_client: Joi.object({
    interval: Joi.string()
      .valid(...LIMIT_INTERVALS)
      .required(),
    value: Joi.number().integer().min(1).max(TIMES_MAX).required(),
  }),
  total_executions: Joi.number().integer().min(0).max(COUNT_MAX),
}).description(
  'An execution that failed gives its place in the limits back, also where an effect before the one that failed had awarded points: the next event fires the rule again, even with an `executions_per_client` of 1. The points stay counted in the budgets.',
);

export interface RuleBody {
  name?: string;
  description?: string | null;
  active?: boolean;
  priority?: number;
  trigger_type?: string;
  trigger_config?: JsonObject;
  conditions?: JsonObject[];
  effects?: JsonObject[];
  limits?: JsonObject;
  activity_window?: JsonObject;
  expiry_override?: JsonObject | null;
}

const ruleFields = {
  key: programmeKey(),
  name: oneLine(NAME_MAX, 1),
  description: nullable(text(DESCRIPTION_MAX)),
  active: Joi.boolean(),
  priority: Joi.number().integer().min(0).max(PRIORITY_MAX),
  trigger_type: triggerType,
  trigger_config: triggerConfig,
  conditions: Joi.array().items(condition).max(LIST_MAX),
  effects: Joi.array().items(effect).min(1).max(LIST_MAX),
  limits,
  activity_window: Joi.object({
    start_date: nullable(timestamp()),
    end_date: nullable(timestamp()),
  }),
  expiry_override: nullable(
    Joi.object({
      expiry_days: nullable(Joi.number().integer().min(1).max(DAYS_MAX)),
      pending_days: nullable(Joi.number().integer().min(0).max(DAYS_MAX)),
    }),
  ),
};

export const updateRule = Joi.object<RuleBody>(ruleFields);
const newRuleFields = {
  ...ruleFields,
  name: ruleFields.name.required(),
  trigger_type: triggerType.required(),
  effects: ruleFields.effects.required(),
};
export const createRule = Joi.object<RuleBody>(newRuleFields);

export interface DraftBody extends RuleBody {
  id?: string;
}
export const draftRule = Joi.object<DraftBody>({
  ...newRuleFields,
  id: uuid().description('Of the saved rule in whose place it is judged.'),
});

export const rule = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  name: Joi.string().required(),
  description: nullable(Joi.string().allow('')).required(),
  active: Joi.boolean().required(),
  priority: Joi.number().integer().required(),
  trigger_type: triggerType.required(),
  trigger_config: Joi.object().required(),
  conditions: Joi.array().items(Joi.object()).required(),
  effects: Joi.array().items(Joi.object()).required(),
  limits: Joi.object().required(),
  activity_window: Joi.object().required(),
  expiry_override: nullable(Joi.object()).required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
  usage: Joi.object({
    executions: Joi.number().integer().required().description('that succeeded or are running'),
    points: amount().required().description('awarded by them'),
    remaining_budget: nullable(amount()).required().description('null without total_budget'),
    remaining_executions: nullable(Joi.number().integer())
      .required()
      .description('null without total_executions'),
  }).required(),
}).meta({ name: 'Rule' });
