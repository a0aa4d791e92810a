import { larger, negate, smaller, type Units, ZERO } from '@laurel/amount';
import { isActive, refOf, splitParts, sumOf, takenFrom, takeOldest } from './lots';
import type { Draft, Figures, Hold, Lot, LotChange, Part, Wallet } from './types';
import { draft, noteOf } from './wallet';

/** Everything leaves the wallet of a client who became part of another: balances, lots, holds and totals. */
export function mergeOut(wallet: Wallet, successor: string, mergeId: string): Draft {
  return draft(
    {
      type: 'transfer_out',
      amount: negate(wallet.figures.active),
      change: reverse(wallet.figures),
    },
    noteOf('merge', mergeId),
    {
      lots: wallet.lots.map((lot) => ({
        lot: refOf(lot),
        by: negate(lot.remaining),
        maturesAt: lot.maturesAt,
      })),
      consumed: activeParts(wallet.lots),
      holds: wallet.holds.map((hold): Hold => ({ ...hold, amount: ZERO, parts: [] })),
      closing: { successor },
    },
  );
}

/**
 * Everything arrives. Lots and holds keep their names, so that what refers to them still finds them. A hole
 * on either side is filled by the oldest active points of the other; no cap applies.
 */
export function mergeIn(wallet: Wallet, source: Wallet, mergeId: string): Draft {
  return draft(
    { type: 'transfer_in', amount: source.figures.active, change: source.figures },
    noteOf('merge', mergeId),
    { lots: lotsOfBoth(wallet, source), holds: source.holds },
  );
}

function lotsOfBoth(wallet: Wallet, source: Wallet): LotChange[] {
  const pending = source.lots.filter((lot) => !isActive(lot));
  const active = activeParts(source.lots);
  const hole = holeOf(wallet.figures.active);
  const arriving = splitParts(active, smaller(hole, sumOf(active))).rest;
  const owed = smaller(holeOf(source.figures.active), larger(ZERO, wallet.figures.active));
  return [
    ...pending.map((lot) => ({ lot: refOf(lot), by: lot.remaining, maturesAt: lot.maturesAt })),
    ...arriving.map(({ lot, amount }) => ({ lot, by: amount, maturesAt: null })),
    ...takenFrom(takeOldest(wallet.lots, owed)),
  ];
}

function activeParts(lots: readonly Lot[]): Part[] {
  return lots.filter(isActive).map((lot) => ({ lot: refOf(lot), amount: lot.remaining }));
}

function holeOf(active: Units): Units {
  return larger(ZERO, negate(active));
}

function reverse(figures: Figures): Figures {
  const entries = Object.entries(figures).map(([name, value]) => [name, negate(value)]);
  return Object.fromEntries(entries) as unknown as Figures;
}
