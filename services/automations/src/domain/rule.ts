import {
  type ChangeDirection,
  type ClientMetric,
  type LimitInterval,
  RULE_MEMBERS,
  type RuleOperator,
  type TriggerRole,
  type TriggerType,
} from '@laurel/contract';

/** Which events fire a rule; which keys mean something depends on its trigger_type (part 3, section 8). */
export interface TriggerConfig {
  event_types?: string[];
  min_amount?: number;
  max_amount?: number;
  field_names?: string[];
  change_direction?: ChangeDirection;
  value?: string | number | boolean;
  role?: TriggerRole;
  schedule?: Schedule;
}

export interface Schedule {
  /** Five fields: minute, hour, day of month, month, weekday. */
  cron: string;
  /** IANA name; that of the workspace when absent. */
  timezone?: string;
}

export interface MetricQuestion {
  metric: ClientMetric;
  period_days?: number;
  wallet_type_code?: string;
}

export type Condition =
  | { type: 'expression'; expression: string }
  | { type: 'segment'; segment_id: string }
  | { type: 'tier'; tier_id: string }
  | { type: 'wallet_balance'; wallet_type_code: string; operator: RuleOperator; value: number }
  | ({ type: 'client_metric'; operator: RuleOperator; value: number } & MetricQuestion);

export interface EarnPoints {
  type: 'earn_points';
  wallet_type_code: string;
  amount_type: 'fixed' | 'expression';
  amount?: number;
  amount_expression?: string;
}

export type Effect =
  | EarnPoints
  | { type: 'deduct_points'; wallet_type_code: string; amount: number }
  | { type: 'give_reward'; reward_id: string }
  | { type: 'update_client_field'; field_name: string; value_expression: string }
  | { type: 'send_push'; title?: string | null; body: string }
  | { type: 'call_webhook'; webhook_id: string }
  | { type: 'assign_tier'; tier_id: string; duration_days?: number | null }
  | { type: 'remove_tier'; tier_id?: string }
  | { type: 'switch_template'; template_id: string; duration_days?: number | null };

/** Budgets count points, the rest executions (part 3, section 8). */
export interface Limits {
  total_budget?: number;
  per_client_budget?: number;
  executions_per_client?: { interval: LimitInterval; value: number };
  total_executions?: number;
}

export interface ActivityWindow {
  start_date?: string | null;
  end_date?: string | null;
}

export interface ExpiryOverride {
  expiry_days?: number | null;
  pending_days?: number | null;
}

/** What a workspace decides about a rule. */
export interface RuleFields {
  /** What files call it; given once. */
  key?: string | null;
  name: string;
  description: string | null;
  active: boolean;
  priority: number;
  trigger_type: TriggerType;
  trigger_config: TriggerConfig;
  conditions: Condition[];
  effects: Effect[];
  limits: Limits;
  activity_window: ActivityWindow;
  expiry_override: ExpiryOverride | null;
}

export interface Rule extends RuleFields {
  id: string;
  workspace_id: string;
  date_created: Date;
  date_updated: Date;
}

const DEFAULTS: Omit<RuleFields, 'name' | 'trigger_type' | 'effects'> = {
  description: null,
  active: true,
  priority: 0,
  trigger_config: {},
  conditions: [],
  limits: {},
  activity_window: {},
  expiry_override: null,
};

export const RULE_FIELDS = [
  'key',
  ...RULE_MEMBERS,
] as const satisfies readonly (keyof RuleFields)[];

/** A rule as its first fields make it. */
export function newRule(
  identity: { id: string; workspaceId: string; now: Date },
  fields: Partial<RuleFields> & Pick<RuleFields, 'name' | 'trigger_type' | 'effects'>,
): Rule {
  return {
    ...DEFAULTS,
    ...fields,
    id: identity.id,
    workspace_id: identity.workspaceId,
    date_created: identity.now,
    date_updated: identity.now,
  };
}

/** The order in which rules run. */
export function compareRules(
  one: Pick<Rule, 'id' | 'priority'>,
  other: Pick<Rule, 'id' | 'priority'>,
): number {
  return one.priority - other.priority || (one.id < other.id ? -1 : 1);
}

/** The time zone a rule goes by: its schedule's own, else its workspace's (part 4, section 6). */
export function zoneOf(
  { trigger_type, trigger_config }: Pick<Rule, 'trigger_type' | 'trigger_config'>,
  workspaceZone: string,
): string {
  const own = trigger_type === 'time_based' ? trigger_config.schedule?.timezone : undefined;
  return own ?? workspaceZone;
}

/** Whether a rule looks at events that happened then. */
export function isWithinWindow({ activity_window: window }: Rule, at: Date): boolean {
  const { start_date: start, end_date: end } = window;
  if (start && at < new Date(start)) return false;
  return !end || at <= new Date(end);
}

/** A formula, the place where it stands in a rule, and what it must give; null: anything. */
export interface PlacedFormula {
  field: string;
  expression: string;
  expected: 'boolean' | 'number' | null;
}

/** Each event of a workspace is held to all of its rules, by processes that work for others as well. */
export const RULES_MAX = 1_000;
/** Characters of all formulas of one rule together. */
export const FORMULAS_LENGTH_MAX = 50_000;

export function formulasOf({
  conditions,
  effects,
}: Pick<RuleFields, 'conditions' | 'effects'>): PlacedFormula[] {
  const found: PlacedFormula[] = [];
  for (const [index, condition] of conditions.entries()) {
    if (condition.type !== 'expression') continue;
    const field = `conditions.${index}.expression`;
    found.push({ field, expression: condition.expression, expected: 'boolean' });
  }
  for (const [index, effect] of effects.entries()) {
    if (effect.type === 'earn_points' && effect.amount_type === 'expression') {
      const field = `effects.${index}.amount_expression`;
      found.push({ field, expression: effect.amount_expression ?? '', expected: 'number' });
    }
    if (effect.type === 'update_client_field') {
      const field = `effects.${index}.value_expression`;
      found.push({ field, expression: effect.value_expression, expected: null });
    }
  }
  return found;
}
