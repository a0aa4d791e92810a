/** What was typed on the pad, as digits alone: cents fill from the right, so that the pad needs no comma key. */
export type Digits = string;

const DIGITS_MAX = 9;

export function press(digits: Digits, key: string): Digits {
  if (key === 'back') return digits.slice(0, -1);
  if (key === 'clear') return '';
  const next = `${digits}${key}`.replace(/^0+/, '');
  return next.length > DIGITS_MAX ? digits : next;
}

/** @param decimals of the currency: 1280 with two of them is 12.8 */
export function amountOf(digits: Digits, decimals: number): number {
  const padded = digits.padStart(decimals + 1, '0');
  const at = padded.length - decimals;
  return Number(`${padded.slice(0, at)}.${padded.slice(at) || '0'}`);
}

export const digitsOf = (amount: number, decimals: number): Digits =>
  amount.toFixed(decimals).replace('.', '').replace(/^0+/, '');

/** How many decimals people pay with in a currency. */
export function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** A sum of points without what adding fractions left behind: they have four decimals. */
export const rounded = (points: number): number => Math.round(points * 10_000) / 10_000;
