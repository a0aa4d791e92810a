import { add, larger, negate, smaller, subtract, type Units, ZERO } from '@laurel/values/amount';
import { refusals } from '../refusals';
import type { Lot, LotChange, LotRef, Part } from './types';

/** So many lots go with one entry at most: more might not fit into a document of the store. */
export const LOTS_AT_ONCE = 20_000;

/** Oldest first. */
export function compareLots(a: LotRef, b: LotRef): number {
  return a.madeAt - b.madeAt || a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

export function refOf({ id, madeAt, sequence, expiresAt }: LotRef): LotRef {
  return { id, madeAt, sequence, expiresAt };
}

export function isActive(lot: Lot): boolean {
  return lot.maturesAt === null;
}

/** Takes up to `amount` from the oldest active lots; less when they hold less. */
export function takeOldest(lots: readonly Lot[], amount: Units): Part[] {
  const parts: Part[] = [];
  let missing = amount;
  for (const lot of lots) {
    if (missing === 0) break;
    if (!isActive(lot)) continue;
    const taken = smaller(missing, lot.remaining);
    parts.push({ lot: refOf(lot), amount: taken });
    missing = subtract(missing, taken);
  }
  return parts;
}

/**
 * Takes an amount from the oldest active lots for one entry.
 *
 * @throws where that would be more lots than an entry may name
 */
export function takeAtOnce(lots: readonly Lot[], amount: Units): Part[] {
  const parts = takeOldest(lots, amount);
  if (parts.length > LOTS_AT_ONCE) throw refusals.tooManyLots();
  return parts;
}

/** Splits parts after their first `amount` points, keeping their order. */
export function splitParts(parts: readonly Part[], amount: Units): { first: Part[]; rest: Part[] } {
  const first: Part[] = [];
  const rest: Part[] = [];
  let missing = amount;
  for (const part of parts) {
    const taken = smaller(missing, part.amount);
    missing = subtract(missing, taken);
    if (taken > 0) first.push({ lot: part.lot, amount: taken });
    if (taken < part.amount) rest.push({ lot: part.lot, amount: subtract(part.amount, taken) });
  }
  return { first, rest };
}

export function sumOf(parts: readonly { amount: Units }[]): Units {
  return parts.reduce((sum, part) => add(sum, part.amount), ZERO);
}

/** What is left of a credit once it has filled the hole of a negative balance. */
export function aboveHole(active: Units, credit: Units): Units {
  return larger(ZERO, smaller(credit, add(active, credit)));
}

/** The parts that reach their lots when they are credited to a balance: the oldest fill the hole. */
export function partsAboveHole(active: Units, parts: readonly Part[]): Part[] {
  const total = sumOf(parts);
  return splitParts(parts, subtract(total, aboveHole(active, total))).rest;
}

/** All that is left in some lots. */
export const partsOf = (lots: readonly Lot[]): Part[] =>
  lots.map((lot) => ({ lot: refOf(lot), amount: lot.remaining }));

export function takenFrom(parts: readonly Part[]): LotChange[] {
  return parts.map(({ lot, amount }) => ({ lot, by: negate(amount), maturesAt: null }));
}

export function givenTo(parts: readonly Part[]): LotChange[] {
  return parts.map(({ lot, amount }) => ({ lot, by: amount, maturesAt: null }));
}

/** Where a lot stands among others, oldest first; where it would, when it is not among them: `found` tells. */
function locate(lots: readonly Lot[], lot: LotRef): { at: number; found: boolean } {
  let low = 0;
  let high = lots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareLots(lots[middle]!, lot);
    if (order === 0) return { at: middle, found: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, found: false };
}

/** The lot that a reference names, while it is open. */
export function findLot(lots: readonly Lot[], ref: LotRef): Lot | undefined {
  const { at, found } = locate(lots, ref);
  return found ? lots[at] : undefined;
}

/** The open lots after some changes, still oldest first. */
export function applyLotChanges(
  lots: readonly Lot[],
  changes: readonly LotChange[],
): readonly Lot[] {
  const open = [...lots];
  for (const { lot, by, maturesAt } of changes) {
    const { at, found } = locate(open, lot);
    const remaining = add(found ? open[at]!.remaining : ZERO, by);
    const replacement = remaining === 0 ? [] : [{ ...refOf(lot), remaining, maturesAt }];
    open.splice(at, found ? 1 : 0, ...replacement);
  }
  return open;
}
