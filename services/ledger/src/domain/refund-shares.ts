import { add, prorate, smaller, subtract, type Units, ZERO } from '@laurel/values/amount';

/** One refund of a purchase: `ratio` of `whole`, after others that came to `before`. */
export interface RefundShare {
  before: number;
  ratio: number;
  whole: number;
}

/**
 * What one refund takes back of one earn. Shares are
 * taken from a running total, so that all refunds of a purchase together take back exactly what it earned.
 */
export function shareOf(earned: Units, { before, ratio, whole }: RefundShare): Units {
  const upTo = Math.min(whole, before + ratio);
  return subtract(prorate(earned, upTo, whole), prorate(earned, before, whole));
}

/**
 * Divides what is due over earns by what is left of each, so that one that gave its points back before leaves its part
 * to the others. Together they give what is due, or all that is left.
 */
export function spreadOverLeft(due: Units, left: readonly Units[]): Units[] {
  const total = add(ZERO, ...left);
  const given = smaller(due, total);
  let before = ZERO;
  return left.map((each) => {
    const upTo = add(before, each);
    const share =
      total === 0 ? ZERO : subtract(prorate(given, upTo, total), prorate(given, before, total));
    before = upTo;
    return share;
  });
}
