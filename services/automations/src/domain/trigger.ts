import type { JsonObject } from '@laurel/errors';
import type { Rule, TriggerConfig, TriggerType } from './rule';

/** Something that happened to one client, as rules and formulas see it. */
export interface Trigger {
  type: TriggerType;
  /** Names the happening: a rule fires at most once per event and client. */
  eventId: string;
  /** null where nobody told of an event: a time_based run. */
  triggerEventId: string | null;
  eventType: string;
  eventCategory: string;
  clientId: string;
  at: Date;
  passId: string | null;
  amount: number | null;
  currency: string | null;
  fieldName: string | null;
  oldValue: string | null;
  newValue: string | null;
  role: 'referrer' | 'referee' | null;
  source: string | null;
  externalId: string | null;
  metadata: JsonObject;
}

const BLANK = {
  passId: null,
  amount: null,
  currency: null,
  fieldName: null,
  oldValue: null,
  newValue: null,
  role: null,
  source: null,
  externalId: null,
  metadata: {},
} as const satisfies Partial<Trigger>;

/** A trigger of which only the given is known. */
export function trigger(
  known: Pick<Trigger, 'type' | 'eventId' | 'eventType' | 'eventCategory' | 'clientId' | 'at'> &
    Partial<Trigger>,
): Trigger {
  return { ...BLANK, triggerEventId: known.eventId, ...known };
}

/**
 * Whether a rule asks for this happening (part 3, section 8). A transaction rule that names no
 * event_types means purchases: points must not be earned again by giving goods back.
 */
export function matches({ trigger_type, trigger_config }: Rule, happened: Trigger): boolean {
  if (trigger_type !== happened.type) return false;
  return MATCHERS[trigger_type](trigger_config, happened);
}

type Matcher = (config: TriggerConfig, happened: Trigger) => boolean;

const MATCHERS: Record<TriggerType, Matcher> = {
  transaction: (config, { eventType, amount }) =>
    (config.event_types?.length ? config.event_types : ['purchase']).includes(eventType) &&
    amount !== null &&
    amount >= (config.min_amount ?? Number.NEGATIVE_INFINITY) &&
    amount <= (config.max_amount ?? Number.POSITIVE_INFINITY),
  custom_event: asksForType,
  pass_lifecycle: asksForType,
  loyalty: asksForType,
  referral: (config, happened) =>
    asksForType(config, happened) &&
    (config.role === undefined || config.role === 'any' || config.role === happened.role),
  field_change: (config, happened) =>
    asksForType(config, happened) &&
    (!config.field_names?.length || config.field_names.includes(happened.fieldName ?? '')) &&
    wentAsAsked(config, happened),
  time_based: () => true,
};

function asksForType({ event_types: types }: TriggerConfig, { eventType }: Trigger): boolean {
  return !types?.length || types.includes(eventType);
}

function wentAsAsked({ change_direction, value }: TriggerConfig, happened: Trigger): boolean {
  const { oldValue, newValue } = happened;
  switch (change_direction ?? 'any') {
    case 'any':
      return true;
    case 'to_value':
      return newValue !== null && newValue === String(value);
    default: {
      const [before, after] = [numberOf(oldValue) ?? 0, numberOf(newValue)];
      if (after === null) return false;
      return change_direction === 'increase' ? after > before : after < before;
    }
  }
}

function numberOf(value: string | null): number | null {
  if (value === null || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
