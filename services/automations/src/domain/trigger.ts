import type { TriggerType } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { formulasOf, type Rule, type TriggerConfig } from './rule';

/** Something that happened to one client, as rules and formulas see it. */
export interface Trigger {
  type: TriggerType;
  /** Names the happening: a rule fires at most once per event and client. */
  eventId: string;
  /** null where there was no event: a time_based run. */
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
  /** Made up by a caller who asks what would happen: it is in no record. */
  isSynthetic: boolean;
  /** Of a made-up one that would come of another: what somebody asked about in the first place. */
  follows?: Trigger;
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
  isSynthetic: false,
} as const satisfies Partial<Trigger>;

/** A trigger of which only the given is known. */
export function trigger(
  known: Pick<Trigger, 'type' | 'eventId' | 'eventType' | 'eventCategory' | 'clientId' | 'at'> &
    Partial<Trigger>,
): Trigger {
  return { ...BLANK, triggerEventId: known.eventId, ...known };
}

/** Whether it is the turn of a client in a run of a schedule, which may come long after the run was due. */
export const isTurnInRun = ({ type, isSynthetic }: Trigger): boolean =>
  type === 'time_based' && !isSynthetic;

/** Whether a rule asks for this happening (part 3, section 8). */
export function matches(rule: Rule, happened: Trigger): boolean {
  return mismatchOf(rule, happened) === null;
}

/** By what a rule tells a happening from those it asks for. */
export type Mismatch =
  | 'trigger_type'
  | 'amount'
  | Exclude<keyof TriggerConfig, 'schedule' | 'value'>;

/**
 * What a rule means that names no event_types: points must not be earned again by giving goods back, nor by a friend who
 * only signed up, or whose referral came to nothing (part 1, metadata).
 */
const MEANT: Partial<Record<TriggerType, readonly string[]>> = {
  transaction: ['purchase'],
  referral: ['referral_completed'],
};

/** What of a happening is not as a rule asks; null where it asks for it. */
export function mismatchOf(rule: Rule, happened: Trigger): Mismatch | null {
  const { trigger_type, trigger_config: config } = rule;
  if (trigger_type !== happened.type) return 'trigger_type';
  const { eventType, amount, role, fieldName } = happened;
  const types = config.event_types?.length ? config.event_types : MEANT[trigger_type];
  if (types && !types.includes(eventType)) return 'event_types';
  switch (trigger_type) {
    case 'transaction':
      // Only what somebody made up lacks it, which matters to rules that look at it.
      if (amount === null) return happened.isSynthetic && !looksAtAmount(rule) ? null : 'amount';
      if (amount < (config.min_amount ?? amount)) return 'min_amount';
      return amount > (config.max_amount ?? amount) ? 'max_amount' : null;
    case 'referral':
      return (config.role ?? 'any') === 'any' || config.role === role ? null : 'role';
    case 'field_change':
      if (config.field_names?.length && !config.field_names.includes(fieldName ?? ''))
        return 'field_names';
      return wentAsAsked(config, happened) ? null : 'change_direction';
    default:
      return null;
  }
}

function looksAtAmount(rule: Rule): boolean {
  const { min_amount, max_amount } = rule.trigger_config;
  const isBounded = min_amount !== undefined || max_amount !== undefined;
  return (
    isBounded ||
    formulasOf(rule).some(({ expression }) => /\bevent\s*\.\s*amount\b/.test(expression))
  );
}

function wentAsAsked({ change_direction, value }: TriggerConfig, happened: Trigger): boolean {
  const { oldValue, newValue } = happened;
  switch (change_direction ?? 'any') {
    case 'any':
      return true;
    case 'to_value':
      return newValue === String(value);
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
