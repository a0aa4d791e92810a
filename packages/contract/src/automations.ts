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
