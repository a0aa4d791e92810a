import { type Day, type LocalTime, localTime, momentNamed } from '@laurel/values/calendar';
import { dayNamed, isAnniversary } from '../days';
import { daysFrom } from '../facts';

/** A function that formulas may call, once per combination of argument types. */
export interface FormulaFunction {
  name: string;
  /** As people read it. */
  signature: string;
  description: string;
  parameters: readonly ('moment' | 'day')[];
  returns: 'double' | 'bool';
  /** Moments arrive as Dates, days as a `Day`; null for what is none. */
  run: (...values: never[]) => unknown;
}

/** When and where the formula being evaluated is asked; evaluation never waits, so one is enough. */
export const evaluation = { now: new Date(0), timeZone: 'UTC' };

const here = (moment: Date): LocalTime => localTime(moment, evaluation.timeZone);

/** The day that a date names, or on which a moment falls here. */
export function dayOf(value: unknown): Day | null {
  if (typeof value === 'string') {
    const named = dayNamed(value);
    if (named) return named;
  }
  const moment = momentOf(value);
  return moment && here(moment);
}

export function momentOf(value: unknown): Date | null {
  const moment = value instanceof Date ? value : momentNamed(String(value));
  return Number.isNaN(moment.getTime()) ? null : moment;
}

export const FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: 'isBirthday',
    signature: 'isBirthday(date): boolean',
    description: 'Whether today, in the time zone of the rule, is the anniversary of a date.',
    parameters: ['day'],
    returns: 'bool',
    run: (date: Day | null) => date !== null && isAnniversary(here(evaluation.now), date),
  },
  {
    name: 'daysBetween',
    signature: 'daysBetween(a, b): number',
    description: 'Whole days from a to b; negative when b comes first.',
    parameters: ['moment', 'moment'],
    returns: 'double',
    run: (a: Date | null, b: Date | null) => (a && b ? daysFrom(a, b) : Number.NaN),
  },
  {
    name: 'weekday',
    signature: 'weekday(t): number',
    description:
      'The day of the week of a moment in the time zone of the rule, 1 for Monday to 7 for Sunday.',
    parameters: ['moment'],
    returns: 'double',
    run: (t: Date | null) => (t ? here(t).weekday : Number.NaN),
  },
  {
    name: 'hour',
    signature: 'hour(t): number',
    description: 'The hour of a moment in the time zone of the rule, 0 to 23.',
    parameters: ['moment'],
    returns: 'double',
    run: (t: Date | null) => (t ? here(t).hour : Number.NaN),
  },
];
