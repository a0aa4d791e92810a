import {
  AMOUNT_MAX,
  add,
  subtract,
  toUnits,
  type Units,
  unitsOf,
  ZERO,
} from '@laurel/values/amount';
import type { Condition } from './programme';

/** What a client did over some time. Refunds lower spending, which may fall below zero. */
export interface Tally {
  /** Points credited, by wallet type code. */
  earned: Readonly<Record<string, Units>>;
  spending: Units;
  transactions: number;
}

/** A tally of one UTC day, `YYYY-MM-DD`. */
export interface DayTally extends Tally {
  day: string;
}

/** Everything a client did: as a whole, and by day, oldest first, for looking back. */
export interface Activity {
  lifetime: Tally;
  days: readonly DayTally[];
}

export const LOOKBACK_DAYS_MAX = 3_650;
const DAY_MS = 86_400_000;
const CEILING = toUnits(AMOUNT_MAX);
const FLOOR = toUnits(-AMOUNT_MAX);

export const NOTHING: Tally = { earned: {}, spending: ZERO, transactions: 0 };
export const NO_ACTIVITY: Activity = { lifetime: NOTHING, days: [] };

export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The first day that a window of so many days before now reaches into. */
export function windowStart(now: Date, lookbackDays: number): string {
  return dayOf(new Date(now.getTime() - lookbackDays * DAY_MS));
}

/** The moment at which a day has left a window of so many days. */
export function leavesWindowAt(day: string, lookbackDays: number): Date {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + (lookbackDays + 1) * DAY_MS);
}

/** A code may be named like what every object has. */
const earnedOf = (earned: Tally['earned'], code: string): Units =>
  Object.hasOwn(earned, code) ? earned[code]! : ZERO;

export function addTallies(a: Tally, b: Tally): Tally {
  const earned: Record<string, Units> = { ...a.earned };
  for (const [code, points] of Object.entries(b.earned))
    earned[code] = saturatingAdd(earnedOf(earned, code), points);
  return {
    earned,
    spending: saturatingAdd(a.spending, b.spending),
    transactions: a.transactions + b.transactions,
  };
}

/** Adds what happened on one day. The order of additions makes no difference. */
export function addOnDay({ lifetime, days }: Activity, day: string, delta: Tally): Activity {
  const known = days.find((one) => one.day === day) ?? { day, ...NOTHING };
  const others = days.filter((one) => one.day !== day);
  const changed: DayTally = { day, ...addTallies(known, delta) };
  return { lifetime: addTallies(lifetime, delta), days: inOrder([...others, changed]) };
}

/** Both clients' activity as that of one. */
export function mergeActivities(a: Activity, b: Activity): Activity {
  const byDay = new Map(a.days.map((one) => [one.day, one]));
  for (const one of b.days) {
    const known = byDay.get(one.day);
    byDay.set(one.day, known ? { day: one.day, ...addTallies(known, one) } : one);
  }
  return { lifetime: addTallies(a.lifetime, b.lifetime), days: inOrder([...byDay.values()]) };
}

/** What is left of the days that a window of any allowed length can still reach. */
export function withoutForgottenDays({ lifetime, days }: Activity, now: Date): Activity {
  const first = windowStart(now, LOOKBACK_DAYS_MAX);
  return { lifetime, days: days[0] && days[0].day < first ? since(days, first) : days };
}

export function since(days: readonly DayTally[], firstDay: string): DayTally[] {
  return days.filter(({ day }) => day >= firstDay);
}

/** Activity within a window; a window of no days is the whole of it. */
export function tallyWithin(activity: Activity, now: Date, lookbackDays: number): Tally {
  if (lookbackDays === 0) return activity.lifetime;
  return since(activity.days, windowStart(now, lookbackDays)).reduce<Tally>(addTallies, NOTHING);
}

/** What a tally says on a condition: units of points or money, or a number of purchases. */
export function measure(tally: Tally, { type, wallet_type_code: code }: Condition): number {
  if (type === 'transaction_count') return tally.transactions;
  if (type === 'total_spending') return tally.spending;
  if (code !== undefined) return earnedOf(tally.earned, code);
  return Object.values(tally.earned).reduce<Units>(saturatingAdd, ZERO);
}

/** A tier's threshold in the terms that `measure` speaks. */
export function scaled(type: Condition['type'], threshold: number): number {
  return type === 'transaction_count' ? threshold : toUnits(threshold);
}

/** A total that left the range of exact amounts is past every threshold there can be. */
function saturatingAdd(a: Units, b: Units): Units {
  if (b > 0 && a > subtract(CEILING, b)) return CEILING;
  if (b < 0 && a < unitsOf(FLOOR - b)) return FLOOR;
  return add(a, b);
}

function inOrder(days: DayTally[]): DayTally[] {
  return days.sort((a, b) => (a.day < b.day ? -1 : 1));
}
