import {
  BACKTEST_STATUSES,
  EXECUTION_STATUSES,
  REFUND_LINKS,
  SKIP_REASONS,
  UNFORETOLD_REASONS,
} from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import {
  amount,
  byKey,
  dateOrTimestamp,
  Joi,
  jsonObject,
  nullable,
  page,
  queryBoolean,
  queryList,
  text,
  timestamp,
  toDate,
  uuid,
} from '../../schema/types';
import { clientOfRow, expandClient } from '../clients/expand-client';
import { last30 } from '../overview/last-days';
import { locale } from '../settings/schema';
import {
  createRule,
  type DraftBody,
  draftRule,
  formula,
  LIST_MAX,
  type RuleBody,
  rule,
  triggerType,
} from './rule-schema';

export { createRule, type DraftBody, type RuleBody, rule, updateRule } from './rule-schema';

const TEXT_MAX = 2_000;
const RULES_MAX = 1_000;
const DRAFTS_MAX = 50;

const executionStatus = Joi.string().valid(...EXECUTION_STATUSES);

export const listRules = Joi.object<{ active?: boolean; key?: string; expand?: 'last30'[] }>({
  active: queryBoolean(),
  key: byKey(),
  expand: queryList(Joi.string().valid('last30')).description(
    'last30: how often each ran with success on each of the last 30 days. What it has used up in all is in `usage`.',
  ),
});
export const ruleRows = Joi.array().items(rule.keys({ last30 }).meta({ name: 'RuleRow' }));

const choice = Joi.object({
  value: Joi.string().required(),
  label: Joi.string().required(),
  description: Joi.string(),
  event_category: nullable(Joi.string()),
});
const term = Joi.object({
  name: Joi.string().required(),
  type: Joi.string().required(),
  description: Joi.string().required(),
});
export const metadata = Joi.object({
  trigger_types: Joi.array().items(choice).required(),
  event_categories: Joi.array().items(choice).required(),
  event_types_by_category: Joi.object().required(),
  expression_variables: Joi.array().items(term).required(),
  expression_functions: Joi.array().items(term).required(),
});

const syntheticEvent = Joi.object({
  trigger_type: triggerType.required(),
  event_type: text(100, 1).required(),
  amount: nullable(amount()),
  currency: nullable(Joi.string().length(3)),
  field_name: nullable(text(100, 1)),
  old_value: nullable(text(TEXT_MAX)),
  new_value: nullable(text(TEXT_MAX)),
  role: nullable(Joi.string().valid('referrer', 'referee')),
  metadata: jsonObject(),
  event_timestamp: timestamp(),
});

export const validateFormula = Joi.object<{
  expression: string;
  expected_type?: string;
  client_id?: string;
  event?: SimulateBody['event'];
}>({
  expression: formula.required(),
  expected_type: Joi.string().valid('number', 'boolean', 'string'),
  client_id: uuid().description('For whom the value is worked out; without it there is none.'),
  event: syntheticEvent,
}).with('event', 'client_id');
export const formulaVerdict = Joi.object({
  valid: Joi.boolean().required(),
  returnType: Joi.string(),
  error: Joi.object({ message: Joi.string().required(), position: Joi.number().required() }),
  value: Joi.any(),
  value_error: Joi.string(),
});

export const readMetadata = Joi.object<{ locale?: string }>({
  locale: locale().description('en where it is left out, and for languages that are not spoken.'),
});
export const reorderRules = Joi.object<{ rule_ids: string[] }>({
  rule_ids: Joi.array().items(uuid()).max(RULES_MAX).required(),
});
export const reorderedRules = Joi.array().items(
  Joi.object({ id: uuid().required(), priority: Joi.number().required() }),
);

export const listExecutions = Joi.object<{
  automation_rule_id?: string;
  client_id?: string;
  status?: string;
  from_date?: string;
  to_date?: string;
  limit: number;
  offset?: number;
  expand?: string[];
}>({
  automation_rule_id: uuid(),
  client_id: uuid(),
  status: executionStatus,
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  ...page({ limitMax: 1_000, limitDefault: 50 }),
  expand: expandClient,
});
export const execution = Joi.object({
  id: uuid().required(),
  automation_rule_id: uuid().required(),
  client_id: uuid().required(),
  workspace_id: uuid().required(),
  trigger_event_id: nullable(uuid()).required(),
  effects_applied: Joi.array().items(Joi.object()).required(),
  points_awarded: amount().required(),
  status: executionStatus.required(),
  error_message: nullable(Joi.string()).required(),
  executed_at: timestamp().required(),
  chain: Joi.array().items(uuid()).required(),
  duration_ms: Joi.number().required(),
});
export const executions = Joi.array().items(execution.keys({ client: clientOfRow }));

export interface SimulateBody {
  client_id: string;
  event: {
    trigger_type: string;
    event_type: string;
    amount?: number | null;
    currency?: string | null;
    field_name?: string | null;
    old_value?: string | null;
    new_value?: string | null;
    role?: string | null;
    metadata?: JsonObject;
    event_timestamp?: string;
    original_external_id?: string;
  };
  rule_ids?: string[];
  rules?: DraftBody[];
  now?: string;
}

export const simulate = Joi.object<SimulateBody>({
  client_id: uuid().required(),
  event: syntheticEvent
    .keys({
      original_external_id: text(255, 1).description('Of a refund: the sale that it gives back.'),
    })
    .required(),
  rule_ids: Joi.array()
    .items(uuid())
    .max(LIST_MAX)
    .unique()
    .description('Of the saved rules only these, none where it is empty.'),
  rules: Joi.array()
    .items(draftRule)
    .max(DRAFTS_MAX)
    .unique('id', { ignoreUndefined: true })
    .description('Rules that are not saved, in the form of a new rule and checked like one.'),
  now: timestamp().description(
    'The moment by which all is judged, past or to come: windows, weekdays, birthdays, limits per day, balances and what expires by then. The present where it is left out.',
  ),
});
const plannedEffect = Joi.object({
  type: Joi.string().required(),
  summary: Joi.string().required(),
  points: amount(),
  wallet_type_code: Joi.string(),
  reward_id: uuid(),
  tier_id: uuid(),
});
const judged = Joi.array()
  .items(
    Joi.object({
      index: Joi.number().integer().required(),
      holds: Joi.boolean().required(),
      actual: Joi.any().required(),
      wanted: Joi.any().required(),
    }),
  )
  .required()
  .description('Each condition by itself: what was found, and what would have to be.');
const draftIndex = Joi.number()
  .integer()
  .description('Of a rule that is not saved: its place in `rules`.');
const matchedRule = Joi.object({
  rule_id: uuid().required(),
  draft_index: draftIndex,
  name: Joi.string().required(),
  priority: Joi.number().required(),
  effects: Joi.array().items(plannedEffect).required(),
  points: amount().required(),
  conditions: judged,
});
export const simulation = Joi.object({
  matched: Joi.array().items(matchedRule).required(),
  skipped: Joi.array()
    .items(
      Joi.object({
        rule_id: uuid().required(),
        name: Joi.string().required(),
        reason: Joi.string()
          .valid(...SKIP_REASONS)
          .required(),
        detail: Joi.string().required(),
        conditions: judged,
        draft_index: draftIndex,
      }),
    )
    .required(),
  total_points: amount().required().description('Of the rules that match the event itself.'),
  following: Joi.array()
    .items(
      matchedRule.keys({
        trigger_type: Joi.string().required(),
        event_type: Joi.string().required(),
        caused_by_rule_id: nullable(uuid()).required(),
      }),
    )
    .required()
    .description(
      'Rules that would fire over what those before them would do: points, rewards, fields and tiers that effects give or take, tiers that are reached or lost by points and sales, and a referral that is completed, down to the depth at which chains end.',
    ),
  is_cut: Joi.boolean().required().description('More would follow than `following` tells.'),
  approximations: Joi.array()
    .items(Joi.string().valid('tier', 'segments', 'client_fields'))
    .required()
    .description('With `now`: what rules look at that could only be told as it is at present.'),
  not_foretold: Joi.array()
    .items(
      Joi.object({
        rule_id: uuid().required(),
        name: Joi.string().required(),
        draft_index: draftIndex,
        trigger_type: Joi.string().required(),
        event_type: Joi.string().required(),
        reason: Joi.string()
          .valid(...UNFORETOLD_REASONS)
          .required(),
      }),
    )
    .required()
    .description(
      'Rules that may fire besides and are not among `following`: over a referral that is completed for the client who brought this one (`another_client`), or over a card whose template changes (`cards`).',
    ),
  refund: Joi.object({
    link: Joi.string()
      .valid(...REFUND_LINKS)
      .required(),
    taken: Joi.array()
      .items(
        Joi.object({
          wallet_type_code: Joi.string().required(),
          points: amount().required().description('Below zero.'),
        }),
      )
      .required(),
  }).description(
    'Of a refund that names its sale: what of its points would be taken back, whatever rules say. Rules are judged as if it had been.',
  ),
});

export interface BacktestBody {
  rule?: RuleBody;
  rule_id?: string;
  from_date: string;
  to_date: string;
}
export const startBacktest = Joi.object<BacktestBody>({
  rule: createRule.when('rule_id', {
    is: Joi.exist(),
    // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
    then: Joi.forbidden().messages({ 'any.unknown': 'give either rule or rule_id, not both' }),
    otherwise: Joi.required().messages({ 'any.required': 'rule or rule_id is required' }),
  }),
  rule_id: uuid(),
  from_date: dateOrTimestamp().required(),
  to_date: toDate().required(),
});

export const backtest = Joi.object({
  id: uuid().required(),
  status: Joi.string()
    .valid(...BACKTEST_STATUSES)
    .required(),
  progress: Joi.number().required(),
  events_replayed: Joi.number().required(),
  matches: Joi.number().required(),
  clients: Joi.number().required(),
  points: amount().required(),
  by_day: Joi.array()
    .items(
      Joi.object({
        date: Joi.string().required(),
        matches: Joi.number().required(),
        points: amount().required(),
      }),
    )
    .required(),
  sample: Joi.array()
    .items(
      Joi.object({
        event_id: uuid().required(),
        client_id: uuid().required(),
        event_timestamp: timestamp().required(),
        points: amount().required(),
      }),
    )
    .required(),
  approximations: Joi.array()
    .items(Joi.string().valid('balances', 'tier', 'segments', 'client_fields'))
    .required()
    .description('what the rule looks at that could only be told as it is now'),
  error: nullable(Joi.string()).required(),
}).meta({ name: 'Backtest' });
