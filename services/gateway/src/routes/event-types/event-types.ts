import { catalogue, webhookNames } from '@laurel/events';

export interface EventType {
  /** As webhooks name it; a final `*` stands for any ending. */
  type: string;
  description: string;
  /** Whether a webhook can subscribe to it. */
  webhook: boolean;
  /** Whether it can fire rules. */
  rule_trigger: boolean;
}

/** Custom events are named by their senders. */
const CUSTOM = 'custom';

/**
 * What webhooks and rules can listen to: every name of the catalogue, and what fires rules beside it.
 *
 * @param triggers event types that fire rules, by category, as the automations service lists them
 */
export function eventTypes(triggers: Readonly<Record<string, readonly string[]>>): EventType[] {
  const fired = Object.entries(triggers).flatMap(([category, types]) =>
    category === CUSTOM ? [[`${CUSTOM}.*`]] : types.map((type) => namesOf(category, type)),
  );
  const carried = webhookNames.map((type) => ({
    type,
    description: catalogue.find(({ webhook }) => webhook === type)!.description,
    webhook: true,
    rule_trigger: fired.some((names) => names.includes(type)),
  }));
  const others = fired
    .filter((names) => !names.some((name) => webhookNames.includes(name)))
    .map(([type]) => ({
      type: type!,
      description: `Fires rules on ${type}.`,
      webhook: false,
      rule_trigger: true,
    }));
  return [...carried, ...others];
}

/** The names under which webhooks may carry what rules call by category and type: of a kind, alone, or as one. */
const namesOf = (category: string, type: string): string[] => [
  `${category}.${type}`,
  type,
  category,
];
