import { prorate, subtract, type Units } from '@laurel/amount';

/**
 * What one refund takes back of one earn, when refunds of `before` (of `whole`) came earlier. Shares are
 * taken from a running total, so that all refunds of a purchase together take back exactly what it earned.
 */
export function shareOf(earned: Units, before: number, ratio: number, whole: number): Units {
  const upTo = Math.min(whole, before + ratio);
  return subtract(prorate(earned, upTo, whole), prorate(earned, before, whole));
}
