/** What can set a rule off (part 2, Automation). */
export const TRIGGER_TYPES = [
  'transaction',
  'custom_event',
  'field_change',
  'pass_lifecycle',
  'time_based',
  'loyalty',
  'referral',
] as const;
export type TriggerType = (typeof TRIGGER_TYPES)[number];

/** How a rule's condition compares (part 3, section 8). */
export const RULE_OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** Over what time a limit of a rule counts. */
export const LIMIT_INTERVALS = ['hour', 'day', 'week', 'month', 'lifetime'] as const;
export type LimitInterval = (typeof LIMIT_INTERVALS)[number];

/** Whom of a referral a rule is about. */
export const TRIGGER_ROLES = ['referrer', 'referee', 'any'] as const;
export type TriggerRole = (typeof TRIGGER_ROLES)[number];

/** Which changes of a field set a rule off. */
export const CHANGE_DIRECTIONS = ['any', 'increase', 'decrease', 'to_value'] as const;
export type ChangeDirection = (typeof CHANGE_DIRECTIONS)[number];

/** What became of a rule for one event. */
export const EXECUTION_STATUSES = ['success', 'failed', 'skipped'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** How far a backtest is. */
export const BACKTEST_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

/** Why a rule would not fire (part 3, section 8, simulate). */
export const SKIP_REASONS = [
  'inactive',
  'outside_window',
  'trigger_mismatch',
  'condition_failed',
  'limit_reached',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * Why a rule that may fire is not foretold: what it asks about happens to another client, or to cards, of which only the
 * service that draws them knows which change.
 */
export const UNFORETOLD_REASONS = ['another_client', 'cards'] as const;
export type UnforetoldReason = (typeof UNFORETOLD_REASONS)[number];

/** What people say of a rule; the rest is added by the platform. */
export const RULE_MEMBERS = [
  'name',
  'description',
  'active',
  'priority',
  'trigger_type',
  'trigger_config',
  'conditions',
  'effects',
  'limits',
  'activity_window',
  'expiry_override',
] as const;
export type RuleMember = (typeof RULE_MEMBERS)[number];
