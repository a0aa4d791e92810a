import {
  add,
  larger,
  negate,
  prorate,
  smaller,
  subtract,
  type Units,
  ZERO,
} from '@laurel/values/amount';

/** Ratios are whole numbers of this: exact, and fine enough for any two amounts of money. */
export const WHOLE = 1_000_000_000_000;
/** What rounding may add when thirds and sevenths are put together again. */
const ROUNDING = 1_000;

/** A share, cut to what others left of the whole. */
export function withinRest(before: number, ratio: number): number {
  return before + ratio > WHOLE + ROUNDING ? WHOLE - before : ratio;
}

/** Whether a share is the last of the whole; thirds and sevenths that were put together again are. */
export const isWhole = (before: number, ratio: number): boolean =>
  before + ratio >= WHOLE - ROUNDING;

/** Thirds and sevenths that were put together again are the whole of it. */
export function wholeIfNearly(before: number, ratio: number): number {
  return isWhole(before, ratio) ? WHOLE - before : ratio;
}

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

/** What a share of 1 / WHOLE takes back of one earn, after others that came to `before`. */
export const shareAfter = (before: number, earned: Units, ratio: number): Units =>
  shareOf(earned, { before, ratio: wholeIfNearly(before, ratio), whole: WHOLE });

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

/** What is owed of each, where some gave more than their share before (negative): the others owe as much less. */
export function evenedOut(owed: readonly Units[]): Units[] {
  const dues = owed.map((each) => larger(ZERO, each));
  const given = add(ZERO, ...owed.map((each) => larger(ZERO, negate(each))));
  const spared = inOrder(given, dues);
  return dues.map((due, at) => subtract(due, spared[at]!));
}

/** What is left in the lot that an earn made. */
export interface OwnLot {
  remaining: Units;
  isPending: boolean;
}

/**
 * Moves what is due of earns whose lots no longer hold it to those that are pending still: nothing is taken below zero,
 * out of other points or not at all while points of the purchase are pending (part 3, section 4.3). The sum stays.
 */
export function pendingInstead(dues: readonly Units[], lots: readonly OwnLot[]): Units[] {
  const lacks = dues.map((due, at) => subtract(due, smaller(due, lots[at]!.remaining)));
  const spares = dues.map((due, at) => {
    const { remaining, isPending } = lots[at]!;
    return isPending ? subtract(remaining, smaller(due, remaining)) : ZERO;
  });
  const moved = smaller(add(ZERO, ...lacks), add(ZERO, ...spares));
  const taken = inOrder(moved, lacks);
  const given = inOrder(moved, spares);
  return dues.map((due, at) => add(subtract(due, taken[at]!), given[at]!));
}

/** Fills one after the other until the amount is used up. */
function inOrder(amount: Units, rooms: readonly Units[]): Units[] {
  let rest = amount;
  return rooms.map((room) => {
    const part = smaller(rest, room);
    rest = subtract(rest, part);
    return part;
  });
}
