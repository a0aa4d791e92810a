import { Decimal } from 'decimal.js';

/**
 * Numbers as people write them: decimals of 15 significant digits (part 4, section 6). Between two steps they are
 * ordinary doubles, each the nearest to its decimal, so that 4.35 is 4.35; every step is taken in decimals, and what
 * looks at a number (comparisons, floor, ceil, round) looks at its first 15 digits, where no binary fraction shows.
 */
export type Numeric = number | bigint;

const SIGNIFICANT_DIGITS = 15;
const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });
/** No amount has so many places, and rounding to more of them changes nothing. */
const PLACES_MAX = 20;

export const isNumeric = (value: unknown): value is Numeric =>
  typeof value === 'number' || typeof value === 'bigint';

/** What cannot be calculated; its message is for the author of the expression. */
export class CannotCalculate extends Error {
  override readonly name = 'CannotCalculate';
}

/** The first 15 digits of a number. */
export function seen(value: Numeric): number {
  const number = Number(value);
  return Number.isSafeInteger(number) || !Number.isFinite(number)
    ? number
    : Number(number.toPrecision(SIGNIFICANT_DIGITS));
}

type Step = (a: Decimal, b: Decimal) => Decimal;

/** Takes a step in decimals; what is unknown (NaN) stays unknown. */
function step(a: Numeric, b: Numeric, take: Step): number {
  const [left, right] = [Number(a), Number(b)];
  if (!Number.isFinite(left) || !Number.isFinite(right)) return Number.NaN;
  // No author means a negative nothing.
  return take(new Exact(left), new Exact(right)).toNumber() + 0;
}

export const add = (a: Numeric, b: Numeric) => step(a, b, (x, y) => x.plus(y));
export const subtract = (a: Numeric, b: Numeric) => step(a, b, (x, y) => x.minus(y));
export const multiply = (a: Numeric, b: Numeric) => step(a, b, (x, y) => x.times(y));

/** Divides; whole numbers too give a decimal: 1 / 2 is 0.5. */
export function divide(a: Numeric, b: Numeric): number {
  if (Number(b) === 0) throw new CannotCalculate('division by zero');
  return step(a, b, (x, y) => x.div(y));
}

/** What is left by a division, with the sign of what is divided. */
export function remainder(a: Numeric, b: Numeric): number {
  if (Number(b) === 0) throw new CannotCalculate('division by zero');
  return step(seen(a), seen(b), (x, y) => x.mod(y));
}

export const isEqual = (a: Numeric, b: Numeric) => seen(a) === seen(b);
export const isLess = (a: Numeric, b: Numeric) => seen(a) < seen(b);
export const isAtMost = (a: Numeric, b: Numeric) => seen(a) <= seen(b);

export const floor = (value: Numeric) => Math.floor(seen(value)) + 0;
export const ceil = (value: Numeric) => Math.ceil(seen(value)) + 0;

/** Rounded to decimal places, halves away from zero. */
export function round(value: Numeric, places: Numeric = 0): number {
  const number = seen(value);
  if (!Number.isFinite(number)) return number;
  const wanted = Math.min(Math.max(Math.trunc(Number(places)), 0), PLACES_MAX);
  if (Number.isNaN(wanted)) return Number.NaN;
  return new Exact(number).toDecimalPlaces(wanted).toNumber() + 0;
}

/** p percent of x. */
export const percent = (x: Numeric, p: Numeric) => divide(multiply(x, p), 100);

export function sum(values: readonly unknown[]): number {
  return numbersIn(values, 'sum').reduce<number>(add, 0);
}

export const smallest = (...values: unknown[]) => Math.min(...numbersIn(values, 'min').map(Number));
export const largest = (...values: unknown[]) => Math.max(...numbersIn(values, 'max').map(Number));

function numbersIn(values: readonly unknown[], called: string): Numeric[] {
  if (values.every(isNumeric)) return [...values] as Numeric[];
  throw new CannotCalculate(`${called}() takes numbers only`);
}
