import { BACKTEST_STATUSES, EXECUTION_STATUSES } from '@laurel/contract';
import {
  amount,
  byKey,
  dateOrTimestamp,
  Joi,
  nullable,
  page,
  queryBoolean,
  queryList,
  timestamp,
  toDate,
  uuid,
} from '../../schema/types';
import { clientOfRow, expandClient } from '../clients/expand-client';
import { last30 } from '../overview/last-days';
import { locale } from '../settings/schema';
import { createRule, formula, type RuleBody, rule } from './rule-schema';
import { type SimulateBody, syntheticEvent } from './simulate-schema';

export { createRule, type DraftBody, type RuleBody, rule, updateRule } from './rule-schema';
export { simulate, simulation } from './simulate-schema';

const RULES_MAX = 1_000;

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
  locale: locale().description('en if it is left out, or if the language is not supported.'),
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
    .items(Joi.string().valid('balances', 'tier', 'segments', 'client_fields', 'event_metadata'))
    .required()
    .description(
      'what the rule looks at that could only be told as it is now; event_metadata: what comes with such an event and is not kept with it',
    ),
  error: nullable(Joi.string()).required(),
}).meta({ name: 'Backtest' });
