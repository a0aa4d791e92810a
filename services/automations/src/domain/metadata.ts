import { COMMON_FUNCTIONS } from '@laurel/cel';
import { type Language, POSTED_EVENT_TYPES, type TriggerType } from '@laurel/contract';
import { MOMENT_OR_NULL, VARIABLES } from './formula/environment';
import { FUNCTIONS } from './formula/functions';
import { metadataWords } from './metadata-words';
import { TRIGGERING_TYPES } from './trigger-config';

interface Choice {
  value: string;
  label: string;
  description?: string;
  event_category?: string | null;
}

const TRIGGER_CHOICES: readonly Choice[] = [
  {
    value: 'transaction',
    label: 'Transaction',
    description:
      'A purchase or refund was recorded. Keys: event_types (purchases when absent), min_amount, max_amount.',
    event_category: 'transaction',
  },
  {
    value: 'custom_event',
    label: 'Custom event',
    description: 'A custom or engagement event was recorded. Keys: event_types.',
    event_category: 'custom',
  },
  {
    value: 'field_change',
    label: 'Field change',
    description:
      'A field of a client changed. Keys: event_types, field_names, change_direction (any, increase, decrease, to_value), value.',
    event_category: 'field_change',
  },
  {
    value: 'pass_lifecycle',
    label: 'Pass lifecycle',
    description: 'A pass was installed, removed or given another template. Keys: event_types.',
    event_category: 'pass_lifecycle',
  },
  {
    value: 'time_based',
    label: 'Schedule',
    description:
      'A moment of a schedule, for every active client. Keys: schedule { cron (five fields), timezone }.',
    event_category: null,
  },
  {
    value: 'loyalty',
    label: 'Loyalty',
    description: 'Points, tiers or rewards of a client changed. Keys: event_types.',
    event_category: 'loyalty',
  },
  {
    value: 'referral',
    label: 'Referral',
    description:
      'A referral went on. Keys: event_types (referral_completed when absent), role (referrer, referee, any).',
    event_category: 'referral',
  },
];

/** The triggers there are, called as people of a language call them. */
export const triggerChoices = (language: Language): Choice[] =>
  TRIGGER_CHOICES.map((choice) => ({
    ...choice,
    label: metadataWords[language]?.triggers[choice.value as TriggerType] ?? choice.label,
  }));

export const categoryChoices = (language: Language): Choice[] =>
  CATEGORY_CHOICES.map((choice) => ({
    ...choice,
    label: metadataWords[language]?.categories[choice.value] ?? choice.label,
  }));

const CATEGORY_CHOICES: readonly Choice[] = [
  { value: 'transaction', label: 'Transactions' },
  { value: 'custom', label: 'Custom events' },
  { value: 'engagement', label: 'Engagement' },
  { value: 'field_change', label: 'Field changes' },
  { value: 'pass_lifecycle', label: 'Pass lifecycle' },
  { value: 'loyalty', label: 'Loyalty' },
  { value: 'referral', label: 'Referrals' },
];

/** Custom events are named by their senders, so that none can be listed. */
export const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  ...TRIGGERING_TYPES,
  custom: [],
  engagement: POSTED_EVENT_TYPES.engagement,
};

export interface Term {
  name: string;
  type: string;
  description: string;
}

const ABOUT: Readonly<Record<string, string>> = {
  client: 'of the client',
  event: 'of the event that fires the rule; a text that it does not have is empty',
  wallet: 'points in the wallet with this code',
  tier: 'of the tier the client is in; empty and 0 without one',
  metrics: 'of the client over all time',
  now: 'the moment of the decision; on a schedule that at which it was due',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  double: 'number',
  bool: 'boolean',
  'google.protobuf.Timestamp': 'timestamp',
  [MOMENT_OR_NULL]: 'timestamp',
  'map<string, dyn>': 'object',
};

/** Everything that a formula may name, e.g. `client.age`. */
export function variableTerms(language: Language): Term[] {
  const about = { ...ABOUT, ...metadataWords[language]?.variables };
  const terms = Object.entries(VARIABLES).flatMap(([variable, members]) =>
    leaves(variable, members).map(({ name, type }) => ({
      name,
      type: TYPE_NAMES[type] ?? type,
      description: about[variable]!,
    })),
  );
  return [...terms, { name: 'now', type: 'timestamp', description: about.now! }];
}

/** What CEL itself can ask a moment. */
const MOMENT_FUNCTIONS = [
  ['getFullYear', 'the year'],
  ['getMonth', 'the month, 0 for January to 11'],
  ['getDate', 'the day of the month, 1 to 31'],
  ['getDayOfWeek', 'the day of the week, 0 for Sunday to 6'],
  ['getHours', 'the hour, 0 to 23'],
  ['getMinutes', 'the minute, 0 to 59'],
].map(([name, what]) => ({
  name: name!,
  signature: `t.${name}(zone): number`,
  description: `Of a moment ${what}, in the time zone that is named; in UTC where none is.`,
}));

/** Everything that a formula may call. */
export function functionTerms(): Term[] {
  return [...COMMON_FUNCTIONS, ...FUNCTIONS, ...MOMENT_FUNCTIONS].map(
    ({ name, signature, description }) => ({
      name,
      type: signature,
      description,
    }),
  );
}

function leaves(path: string, members: object): { name: string; type: string }[] {
  return Object.entries(members).flatMap(([name, type]) =>
    typeof type === 'string'
      ? [{ name: `${path}.${name}`, type }]
      : leaves(`${path}.${name}`, type as object),
  );
}
