/**
 * Exact points and money. An amount is held as a whole number of ten-thousandths (`Units`), so that
 * sums never drift (part 3, section 1.2: at most 4 decimal places, |value| <= 100 000 000 000).
 * Nothing outside this package adds, subtracts or scales two amounts by hand.
 */

declare const unitsBrand: unique symbol;

/** A whole number of 1/10 000; always a safe integer. */
export type Units = number & { readonly [unitsBrand]: true };

export const DECIMAL_PLACES_MAX = 4;
export const AMOUNT_MAX = 100_000_000_000;
const UNITS_PER_ONE = 10_000;
const UNITS_MAX = AMOUNT_MAX * UNITS_PER_ONE;

export const ZERO = 0 as Units;

/** Thrown when a calculation leaves the range in which amounts are exact: a fault, or a limit to refuse by. */
export class AmountRangeError extends Error {}

/** True when `value` is finite, within range and has at most 4 decimal places. */
export function isAmount(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) <= AMOUNT_MAX && nearestUnits(value) !== null;
}

/** From the decimal on the wire (12.5) to units (125 000). Throws AmountRangeError on what `isAmount` denies. */
export function toUnits(decimal: number): Units {
  const units = Number.isFinite(decimal) ? nearestUnits(decimal) : null;
  if (units === null)
    throw new AmountRangeError(`${decimal} is not an amount with at most 4 decimals`);
  return checked(units);
}

/** An amount from outside, rounded to 4 decimals, halves up: other systems calculate in binary fractions. */
export function roundToAmount(decimal: number): number {
  const scaled = Number((decimal * UNITS_PER_ONE).toPrecision(15));
  return toDecimal(checked(Math.floor(scaled + 0.5)));
}

/** From units to the decimal that goes on the wire. */
export function toDecimal(units: Units): number {
  return units / UNITS_PER_ONE;
}

/** Adopts a stored integer as units. */
export function unitsOf(stored: number): Units {
  return checked(stored);
}

export function add(...terms: Units[]): Units {
  return checked(terms.reduce((sum: number, term) => sum + term, 0));
}

/**
 * What many wallets come to: each of them is within the range of an amount, together they may be beyond it. Exact up to
 * 900 billion, and beyond that to the fifteen digits that a number has: a report that is off by its last digit is one,
 * and no report at all is none.
 */
export function total(...terms: number[]): Units {
  return terms.reduce((all, term) => all + term, 0) as Units;
}

/** The same of decimals as they are on the wire, which may be such sums themselves. */
export function totalUnitsOf(decimals: readonly number[]): Units {
  return total(...decimals.map((decimal) => Math.round(decimal * UNITS_PER_ONE)));
}

/** The same, for the wire. */
export function totalOf(decimals: readonly number[]): number {
  return toDecimal(totalUnitsOf(decimals));
}

export function subtract(from: Units, amount: Units): Units {
  return checked(from - amount);
}

export function negate(amount: Units): Units {
  return checked(amount === 0 ? 0 : -amount);
}

export function smaller(a: Units, b: Units): Units {
  return a <= b ? a : b;
}

export function larger(a: Units, b: Units): Units {
  return a >= b ? a : b;
}

/**
 * `amount * numerator / denominator`, rounded half up to a whole unit, computed without a
 * floating-point step. Shares of one whole must be taken from a running total, not summed.
 */
export function prorate(amount: Units, numerator: number, denominator: number): Units {
  if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator) || denominator <= 0) {
    throw new AmountRangeError(`${numerator}/${denominator} is not a ratio of whole numbers`);
  }
  const doubled = 2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator);
  return checked(Number(floorDivide(doubled, 2n * BigInt(denominator))));
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor !== 0n && dividend < 0n !== divisor < 0n ? quotient - 1n : quotient;
}

function nearestUnits(decimal: number): number | null {
  const units = Math.round(decimal * UNITS_PER_ONE);
  return units / UNITS_PER_ONE === decimal ? units || 0 : null;
}

function checked(units: number): Units {
  if (!Number.isInteger(units) || Math.abs(units) > UNITS_MAX) {
    throw new AmountRangeError(`${units} units are outside the range of exact amounts`);
  }
  return units as Units;
}
