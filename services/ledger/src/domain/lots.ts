import { add, larger, negate, smaller, subtract, type Units, ZERO } from '@laurel/amount';
import type { Lot, LotChange, LotRef, Part } from './types';

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
  return add(ZERO, ...parts.map((part) => part.amount));
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

export function takenFrom(parts: readonly Part[]): LotChange[] {
  return parts.map(({ lot, amount }) => ({ lot, by: negate(amount), maturesAt: null }));
}

export function givenTo(parts: readonly Part[]): LotChange[] {
  return parts.map(({ lot, amount }) => ({ lot, by: amount, maturesAt: null }));
}

/** The open lots after some changes, still oldest first. */
export function applyLotChanges(
  lots: readonly Lot[],
  changes: readonly LotChange[],
): readonly Lot[] {
  const last = lots[lots.length - 1];
  const [only] = changes;
  if (changes.length === 1 && only && only.by > 0 && (!last || compareLots(last, only.lot) < 0)) {
    return [...lots, { ...only.lot, remaining: only.by, maturesAt: only.maturesAt }];
  }
  const byId = new Map(lots.map((lot) => [lot.id, lot]));
  let added = false;
  for (const { lot, by, maturesAt } of changes) {
    const before = byId.get(lot.id);
    if (!before) added = true;
    const remaining = add(before?.remaining ?? ZERO, by);
    if (remaining === 0) byId.delete(lot.id);
    else byId.set(lot.id, { ...refOf(lot), remaining, maturesAt });
  }
  const open = [...byId.values()];
  return added ? open.sort(compareLots) : open;
}
