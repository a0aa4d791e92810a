import { larger, negate, smaller, type Units, ZERO } from '@laurel/values/amount';
import { givenTo, isActive, refOf, splitParts, sumOf, takenFrom, takeOldest } from './lots';
import type { Draft, Figures, Hold, Lot, LotChange, Part, Wallet } from './types';
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
 * the source. Lots and holds keep their names, so that what refers to them still finds them. No cap applies.
 */
export function merge(source: Wallet, target: Wallet, names: MergeNames): readonly DraftPair[] {
  const aside = [pendingPair(source, names), lockedPair(source, names)].filter(
    (pair) => pair !== null,
  );
  const without = aside.reduce((wallet, [out]) => applyEffect(wallet, out, 0), source);
  return [...aside, activePair(without, target, names)];
}

function pendingPair(source: Wallet, names: MergeNames): DraftPair | null {
  const lots = source.lots.filter((lot) => !isActive(lot));
  if (lots.length === 0) return null;
  const moved = (sign: (units: Units) => Units): LotChange[] =>
    lots.map((lot) => ({ lot: refOf(lot), by: sign(lot.remaining), maturesAt: lot.maturesAt }));
  return pairOf({ balance: 'pending', amount: source.figures.pending, names }, [
    { lots: moved(negate), consumed: partsOf(lots) },
    { lots: moved((units) => units) },
  ]);
}

function lockedPair({ holds, figures }: Wallet, names: MergeNames): DraftPair | null {
  if (holds.length === 0) return null;
  const gone = holds.map((hold): Hold => ({ ...hold, amount: ZERO, parts: [] }));
  return pairOf({ balance: 'locked', amount: figures.locked, names }, [{ holds: gone }, { holds }]);
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

const partsOf = (lots: readonly Lot[]): Part[] =>
  lots.map((lot) => ({ lot: refOf(lot), amount: lot.remaining }));

function holeOf(active: Units): Units {
  return larger(ZERO, negate(active));
}

function reverse(figures: Figures): Figures {
  const entries = Object.entries(figures).map(([name, value]) => [name, negate(value)]);
  return Object.fromEntries(entries) as unknown as Figures;
}
