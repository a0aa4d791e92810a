import { larger, negate, smaller, type Units, ZERO } from '@laurel/values/amount';
import {
  givenTo,
  isActive,
  LOTS_AT_ONCE,
  partsAboveHole,
  partsOf,
  refOf,
  splitParts,
  sumOf,
  takenFrom,
  takeOldest,
} from './lots';
import type { Draft, Figures, Hold, Lot, LotChange, Wallet } from './types';
import { applyEffect, draft, noteOf } from './wallet';

/** What leaves one wallet, and the same where it arrives. */
export type DraftPair = readonly [out: Draft, into: Draft];

/** What the two entries of each pair call each other: the clients', and the wallet that everything goes to. */
export interface MergeNames {
  sourceClientId: string;
  targetClientId: string;
  successor: string;
}

/**
 * Moves everything from the wallet of a client who became part of another: balances, lots, holds and totals. Pending points
 * and points on hold go in pairs of their own, so that the list of entries adds up to the balances; the last pair closes
 * the source. Very many lots go in several pairs. Lots and holds keep their names, so that what refers to them still finds them.
 * No cap applies.
 */
export function merge(source: Wallet, target: Wallet, names: MergeNames): readonly DraftPair[] {
  const pairs: DraftPair[] = [];
  let [giving, receiving] = [source, target];
  const move = (pair: DraftPair): void => {
    pairs.push(pair);
    giving = applyEffect(giving, pair[0], 0);
    receiving = applyEffect(receiving, pair[1], 0);
  };
  for (const lots of inPages(source.lots.filter((lot) => !isActive(lot))))
    move(pendingPair(lots, names));
  for (const holds of pagesOfHolds(source.holds)) move(lockedPair(holds, names));
  while (giving.lots.length > LOTS_AT_ONCE) move(oldestPair(giving, receiving, names));
  return [...pairs, activePair(giving, receiving, names)];
}

function inPages<T>(items: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(items.length / LOTS_AT_ONCE);
  return Array.from({ length: count }, (_, page) =>
    items.slice(page * LOTS_AT_ONCE, (page + 1) * LOTS_AT_ONCE),
  );
}

/** Holds by the lots that they are of; one stays whole. */
function pagesOfHolds(holds: readonly Hold[]): (readonly Hold[])[] {
  const pages: Hold[][] = [];
  let room = 0;
  for (const hold of holds) {
    if (hold.parts.length > room || pages.length === 0) {
      pages.push([]);
      room = LOTS_AT_ONCE;
    }
    pages.at(-1)!.push(hold);
    room -= hold.parts.length;
  }
  return pages;
}

function pendingPair(lots: readonly Lot[], names: MergeNames): DraftPair {
  const moved = (sign: (units: Units) => Units): LotChange[] =>
    lots.map((lot) => ({ lot: refOf(lot), by: sign(lot.remaining), maturesAt: lot.maturesAt }));
  const consumed = partsOf(lots);
  return pairOf({ balance: 'pending', amount: sumOf(consumed), names }, [
    { lots: moved(negate), consumed },
    { lots: moved((units) => units) },
  ]);
}

function lockedPair(holds: readonly Hold[], names: MergeNames): DraftPair {
  const gone = holds.map((hold): Hold => ({ ...hold, amount: ZERO, parts: [] }));
  return pairOf({ balance: 'locked', amount: sumOf(holds), names }, [{ holds: gone }, { holds }]);
}

/** The oldest active points of a wallet that has too many lots for one entry; the totals stay for the last. */
function oldestPair({ lots }: Wallet, target: Wallet, names: MergeNames): DraftPair {
  const parts = partsOf(lots.slice(0, LOTS_AT_ONCE));
  const amount = sumOf(parts);
  const less = negate(amount);
  return [
    draft(
      { type: 'transfer_out', amount: less, change: { active: less, moved: less } },
      noteOf('merge', names.targetClientId),
      { lots: takenFrom(parts), consumed: parts },
    ),
    draft(
      { type: 'transfer_in', amount, change: { active: amount, moved: amount } },
      noteOf('merge', names.sourceClientId),
      { lots: givenTo(partsAboveHole(target.figures.active, parts)) },
    ),
  ];
}

/** Points that are in a balance other than the active one: what `metadata.balance` names. */
function pairOf(
  { balance, amount, names }: { balance: 'pending' | 'locked'; amount: Units; names: MergeNames },
  [out, into]: readonly [Partial<Draft>, Partial<Draft>],
): DraftPair {
  const of = (clientId: string) => ({ ...noteOf('merge', clientId), metadata: { balance } });
  const less = negate(amount);
  return [
    draft(
      { type: 'transfer_out', amount: less, change: { [balance]: less, moved: less } },
      of(names.targetClientId),
      out,
    ),
    draft(
      { type: 'transfer_in', amount, change: { [balance]: amount, moved: amount } },
      of(names.sourceClientId),
      into,
    ),
  ];
}

/**
 * All that is left, the totals among it. A hole on either side is filled by the oldest active points of the other.
 */
function activePair(source: Wallet, target: Wallet, names: MergeNames): DraftPair {
  const { figures, lots } = source;
  return [
    draft(
      { type: 'transfer_out', amount: negate(figures.active), change: reverse(figures) },
      noteOf('merge', names.targetClientId),
      {
        lots: takenFrom(partsOf(lots)),
        consumed: partsOf(lots),
        closing: { successor: names.successor },
      },
    ),
    draft(
      { type: 'transfer_in', amount: figures.active, change: figures },
      noteOf('merge', names.sourceClientId),
      { lots: lotsOfBoth(target, source) },
    ),
  ];
}

function lotsOfBoth(wallet: Wallet, source: Wallet): LotChange[] {
  const active = partsOf(source.lots);
  const hole = holeOf(wallet.figures.active);
  const arriving = splitParts(active, smaller(hole, sumOf(active))).rest;
  const owed = smaller(holeOf(source.figures.active), larger(ZERO, wallet.figures.active));
  return [...givenTo(arriving), ...takenFrom(takeOldest(wallet.lots, owed))];
}

function holeOf(active: Units): Units {
  return larger(ZERO, negate(active));
}

function reverse(figures: Figures): Figures {
  const entries = Object.entries(figures).map(([name, value]) => [name, negate(value)]);
  return Object.fromEntries(entries) as unknown as Figures;
}
