import { isSaid } from '../is-said';
import type { RuleBody, TriggerType } from './body';

/** Whether fields show what a trigger says so: of a change of a field they show which field alone, of all others everything. */
const isShown = (type: TriggerType, name: string): boolean =>
  type !== 'field_change' || name === 'field_names';

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
      !isShown(trigger_type, name) && !(name === 'change_direction' && value === 'any'),
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
