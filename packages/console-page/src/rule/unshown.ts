import type { RuleBody, TriggerType } from './body';

/** What of a trigger its fields show. */
const SHOWN: Readonly<Record<TriggerType, readonly string[]>> = {
  transaction: ['event_types', 'min_amount', 'max_amount'],
  custom_event: ['event_types'],
  field_change: ['field_names'],
  pass_lifecycle: ['event_types'],
  loyalty: ['event_types'],
  referral: ['event_types', 'role'],
  time_based: ['schedule'],
};

/** Whether a member says anything that its absence would not. */
const isSaid = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isSaid)
    : value !== undefined && value !== null;

/**
 * What a rule holds beyond what its form shows, each as its path and its value: it counts all the same. Of conditions, effects
 * and limits all is shown; where the rule stands among the others is seen in their list.
 */
export function unshownOf({
  trigger_type,
  trigger_config = {},
  description,
  expiry_override,
}: RuleBody): string[] {
  const others = Object.entries(trigger_config).filter(
    ([name, value]) =>
      !SHOWN[trigger_type].includes(name) && !(name === 'change_direction' && value === 'any'),
  );
  const all: [string, unknown][] = [
    ...others.map(([name, value]): [string, unknown] => [`trigger_config.${name}`, value]),
    ['description', description],
    ['expiry_override', expiry_override],
  ];
  return all.flatMap(([name, value]) =>
    isSaid(value) ? [`${name}: ${JSON.stringify(value)}`] : [],
  );
}
