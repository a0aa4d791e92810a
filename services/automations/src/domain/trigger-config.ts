import {
  customFieldOf,
  POSTED_EVENT_TYPES,
  REFERRAL_EVENT_TYPES,
  type TriggerType,
} from '@laurel/contract';
import type { TriggerConfig } from './rule';

/** What can fire rules, by the kind of trigger; custom events are named by their senders. */
export const TRIGGERING_TYPES: Readonly<Record<string, readonly string[]>> = {
  transaction: POSTED_EVENT_TYPES.transaction,
  field_change: POSTED_EVENT_TYPES.field_change,
  pass_lifecycle: POSTED_EVENT_TYPES.pass_lifecycle,
  loyalty: POSTED_EVENT_TYPES.loyalty,
  referral: REFERRAL_EVENT_TYPES,
};

/** Which keys mean something, by the kind of trigger (part 3, section 8). */
const KEYS: Readonly<Record<TriggerType, readonly (keyof TriggerConfig)[]>> = {
  transaction: ['event_types', 'min_amount', 'max_amount'],
  custom_event: ['event_types'],
  field_change: ['event_types', 'field_names', 'change_direction', 'value'],
  pass_lifecycle: ['event_types'],
  loyalty: ['event_types'],
  referral: ['event_types', 'role'],
  time_based: ['schedule'],
};

/** Something of a trigger_config that could never do what it says: its path within the config, and why. */
export interface ConfigProblem {
  path: string;
  complaint: string;
}

/** What is wrong with a trigger_config apart from its schedule. */
export function configProblems(type: TriggerType, config: TriggerConfig): ConfigProblem[] {
  const { min_amount: min, max_amount: max, change_direction: direction, value } = config;
  const problems: ConfigProblem[] = [];
  const complain = (path: string, complaint: string) => problems.push({ path, complaint });
  for (const key of Object.keys(config) as (keyof TriggerConfig)[])
    if (!KEYS[type].includes(key))
      complain(
        key,
        `means nothing with trigger_type ${type}, which knows ${KEYS[type].join(', ')}`,
      );
  const known = TRIGGERING_TYPES[type];
  for (const [index, name] of (config.event_types ?? []).entries())
    if (known && !known.includes(name))
      complain(`event_types.${index}`, `must be one of ${known.join(', ')}`);
  for (const [index, name] of (config.field_names ?? []).entries()) {
    const bare = customFieldOf(name);
    if (bare !== null)
      complain(`field_names.${index}`, `must be the bare name of the field: ${bare}`);
  }
  if (min !== undefined && max !== undefined && min > max)
    complain('max_amount', 'must not be below min_amount');
  if (type === 'field_change') {
    if (direction === 'to_value' && value === undefined)
      complain('value', 'is required with change_direction to_value');
    if (direction !== 'to_value' && value !== undefined)
      complain('value', 'means something with change_direction to_value only');
  }
  return problems;
}
