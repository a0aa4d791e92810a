import type { AutomationsCreateBody, CustomField } from '@laurel/client';
import type { RuleOperator } from '@laurel/contract';

/** A rule as it is written down, saved or not. */
export type RuleBody = AutomationsCreateBody;
export type Condition = NonNullable<RuleBody['conditions']>[number];
export type Effect = RuleBody['effects'][number];
export type TriggerType = RuleBody['trigger_type'];

export const TRIGGERS: readonly TriggerType[] = [
  'transaction',
  'custom_event',
  'field_change',
  'pass_lifecycle',
  'loyalty',
  'referral',
  'time_based',
];

export const CONDITIONS = [
  'time',
  'birthday',
  'tier',
  'segment',
  'wallet_balance',
  'client_metric',
  'formula',
] as const;
export type ConditionKind = (typeof CONDITIONS)[number];

export const EFFECTS: readonly Effect['type'][] = [
  'earn_points',
  'give_reward',
  'send_push',
  'assign_tier',
  'deduct_points',
  'remove_tier',
  'update_client_field',
  'switch_template',
  'call_webhook',
];

export const COMPARISONS: readonly RuleOperator[] = ['gte', 'lte', 'gt', 'lt', 'eq', 'neq'];

/** What stands in lists to choose from: the workspace's own things by id or code. */
export interface Names {
  currencies: readonly {
    id?: string;
    code: string;
    name: string;
    unit_singular_name: string | null;
    unit_plural_name: string | null;
  }[];
  tiers: readonly Named[];
  segments: readonly Named[];
  rewards: readonly (Named & {
    /** The currency that pays for it. */
    wallet_type_id?: string | null;
  })[];
  cards: readonly Named[];
  webhooks: readonly Named[];
  fields: readonly Own[];
  /** How many points a purchase usually brings for each unit of money. */
  usualRate: number;
}
export interface Named {
  id: string;
  name: string;
}
/** A field of the workspace's own, by its name in formulas. */
export interface Own extends Named {
  type?: CustomField['field_type'];
  /** Of a field with choices. */
  options?: readonly string[];
}

/** The currencies as a select offers them. */
export const currencyChoices = ({ currencies }: Pick<Names, 'currencies'>) =>
  currencies.map(({ code, name }) => ({ value: code, label: name }));

/** A condition of a kind, to begin with. */
export function newCondition(kind: ConditionKind, names: Names): Condition {
  switch (kind) {
    case 'time':
      return {
        type: 'expression',
        expression:
          'weekday(event.event_timestamp) in [2.0] && hour(event.event_timestamp) >= 8.0 && hour(event.event_timestamp) < 11.0',
      };
    case 'birthday':
      return { type: 'expression', expression: 'isBirthday(client.birth_date)' };
    case 'formula':
      return { type: 'expression', expression: 'event.amount > 0.0' };
    case 'tier':
      return { type: 'tier', tier_id: names.tiers[0]?.id ?? '' };
    case 'segment':
      return { type: 'segment', segment_id: names.segments[0]?.id ?? '' };
    case 'wallet_balance':
      return {
        type: 'wallet_balance',
        wallet_type_code: names.currencies[0]?.code ?? '',
        operator: 'gte',
        value: 100,
      };
    case 'client_metric':
      return { type: 'client_metric', metric: 'transaction_count', operator: 'gte', value: 5 };
  }
}

/** An effect of a kind, to begin with. */
export function newEffect(type: Effect['type'], names: Names): Effect {
  const code = names.currencies[0]?.code ?? '';
  switch (type) {
    case 'earn_points':
      return { type, wallet_type_code: code, amount_type: 'fixed', amount: 10 };
    case 'deduct_points':
      return { type, wallet_type_code: code, amount: 10 };
    case 'give_reward':
      return { type, reward_id: names.rewards[0]?.id ?? '' };
    case 'update_client_field':
      return { type, field_name: names.fields[0]?.id ?? '', value_expression: '""' };
    case 'send_push':
      return { type, body: '' };
    case 'call_webhook':
      return { type, webhook_id: names.webhooks[0]?.id ?? '' };
    case 'assign_tier':
      return { type, tier_id: names.tiers[0]?.id ?? '' };
    case 'remove_tier':
      return { type };
    case 'switch_template':
      return { type, template_id: names.cards[0]?.id ?? '' };
  }
}
