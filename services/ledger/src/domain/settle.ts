import { add, negate, subtract, ZERO } from '@laurel/values/amount';
import { release } from './hold';
import { aboveHole, compareLots, isActive, refOf } from './lots';
import type { Draft, Figures, Hold, Lot, LotChange, Wallet } from './types';
import { addFigures, draft, noteOf } from './wallet';

/** A hold to be released, or a lot that matures or, once it is active, expires. */
type Due = { at: number; hold: Hold } | DueLot;
interface DueLot {
  at: number;
  lot: Lot;
}

/** Something that a wallet does by itself, and the name under which it does it once. */
export interface Settlement {
  operation: string;
  draft: Draft;
}

/** When the next thing is due that the wallet does by itself; null when nothing ever will be. */
export function nextDueAt(wallet: Wallet): number | null {
  return earliest(wallet)?.at ?? null;
}

/**
 * What is due by `now`, one after the other in order of their times: that points mature, that points expire or that a hold is
 * released. The log settles a wallet before each operation, so that no operation ever sees points that should be gone, and a
 * job does it where nothing else happens. A wallet may have any number of lots that are due at once: they are looked
 * through for the first of them, and no more for each that follows.
 */
export function* settlements(wallet: Wallet, now: number): Generator<Settlement, undefined> {
  const first = nextDueAt(wallet);
  if (first === null || first > now) return;
  const agenda = createAgenda(wallet, now);
  let { sequence, figures } = wallet;
  for (let due = agenda.next(); due; due = agenda.next()) {
    sequence += 1;
    const settlement = settlementOf(due, { sequence, figures, isLast: agenda.isLast });
    figures = addFigures(figures, settlement.draft.change);
    agenda.change(settlement.draft.lots);
    yield settlement;
  }
}

/**
 * Whether an entry leaves something that is due in its own moment: the rest of a hold of which part was captured, or what goes
 * back to lots that have ended since they were spent from.
 */
export const leavesDue = ({ lots, holds }: Pick<Draft, 'lots' | 'holds'>, now: number): boolean =>
  holds.some(({ amount, expiresAt }) => amount > 0 && expiresAt <= now) ||
  lots.some(({ lot, by, maturesAt }) => {
    const at = maturesAt ?? lot.expiresAt;
    return by > 0 && at !== null && at <= now;
  });

/** The figures of a wallet once all that is due by `now` is settled. */
export function settledFigures(wallet: Wallet, now: number): Figures {
  let { figures } = wallet;
  for (const { draft } of settlements(wallet, now)) figures = addFigures(figures, draft.change);
  return figures;
}

interface Standing extends Pick<Wallet, 'figures'> {
  /** Of the entry to be. */
  sequence: number;
  isLast: (lot: Lot) => boolean;
}

function settlementOf(due: Due, { sequence, isLast, ...wallet }: Standing): Settlement {
  if ('hold' in due) {
    const { hold } = due;
    return {
      operation: `release:${hold.id}:${sequence}`,
      draft: release(wallet, hold, hold),
    };
  }
  const { lot } = due;
  return isActive(lot)
    ? { operation: `expire:${lot.id}:${sequence}`, draft: expire(lot, isLast(lot)) }
    : { operation: `mature:${lot.id}`, draft: mature(wallet, lot) };
}

/** What is due by a moment, of equal times the holds first and then the oldest lot; kept as the lots change. */
function createAgenda({ lots, holds }: Wallet, now: number) {
  const open = new Map(lots.map((lot) => [lot.id, lot]));
  const openOf = new Map<string, number>();
  const dues: Due[] = [
    ...holds.map((hold) => ({ at: hold.expiresAt, hold })),
    ...lots.flatMap((lot) => dueOf(lot) ?? []),
  ];
  const agenda = dues.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
  let position = 0;

  function count({ id }: Lot, by: 1 | -1): void {
    const maker = makerOf(id);
    openOf.set(maker, (openOf.get(maker) ?? 0) + by);
  }

  for (const lot of lots) count(lot, 1);
  return {
    /** The next thing due, as it stands by then. */
    next(): Due | null {
      while (position < agenda.length) {
        const due = agenda[position]!;
        position += 1;
        if ('hold' in due) return due;
        const lot = open.get(due.lot.id);
        if (lot && dueOf(lot)?.at === due.at) return { at: due.at, lot };
      }
      return null;
    },

    /** Whether a lot is the last open one of the entry that made it. */
    isLast: ({ id }: Lot): boolean => openOf.get(makerOf(id)) === 1,

    change(changes: readonly LotChange[]): void {
      for (const { lot, by, maturesAt } of changes) {
        const known = open.get(lot.id);
        if (known) count(known, -1);
        open.delete(lot.id);
        const remaining = add(known?.remaining ?? ZERO, by);
        if (remaining === 0) continue;
        const changed = { ...refOf(lot), remaining, maturesAt };
        open.set(lot.id, changed);
        count(changed, 1);
        const due = dueOf(changed);
        // Where it is there already, the first of both finds the lot, and the second none.
        if (due && due.at <= now) insertDue(agenda, due, position);
      }
    },
  };
}

/** Puts something in its place among what is still to come from a position on. */
function insertDue(agenda: Due[], due: DueLot, from: number): void {
  let [low, high] = [from, agenda.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(agenda[middle]!, due)) low = middle + 1;
    else high = middle;
  }
  agenda.splice(low, 0, due);
}

function dueOf(lot: Lot): DueLot | null {
  const at = lot.maturesAt ?? lot.expiresAt;
  return at === null ? null : { at, lot };
}

const isBefore = (due: Due, other: DueLot): boolean =>
  due.at === other.at ? 'hold' in due || compareLots(due.lot, other.lot) < 0 : due.at < other.at;

function earliest(wallet: Wallet): Due | null {
  let first: Due | null = null;
  for (const hold of wallet.holds) {
    if (!first || hold.expiresAt < first.at) first = { at: hold.expiresAt, hold };
  }
  for (const lot of wallet.lots) {
    const at = lot.maturesAt ?? lot.expiresAt;
    if (at === null || (first && at >= first.at)) continue;
    first = { at, lot };
  }
  return first;
}

/** The entry that made a lot: the lot's own id but for transfers, which make several. */
export function makerOf(lotId: string): string {
  return lotId.slice(0, 36);
}

function mature({ figures }: Pick<Wallet, 'figures'>, lot: Lot): Draft {
  const amount = lot.remaining;
  const filled = aboveHole(figures.active, amount);
  const lots = [{ lot: refOf(lot), by: subtract(filled, amount), maturesAt: null }];
  return draft(
    { type: 'unlock', amount, change: { pending: negate(amount), active: amount } },
    noteOf('maturation', makerOf(lot.id)),
    { expiresAt: lot.expiresAt, lots, marks: [{ entryId: makerOf(lot.id), status: 'active' }] },
  );
}

/** A transfer made several lots: it has expired once the last of them has. */
function expire(lot: Lot, isLast: boolean): Draft {
  const amount = lot.remaining;
  const entryId = makerOf(lot.id);
  return draft(
    { type: 'expire', amount: negate(amount), change: { active: negate(amount), expired: amount } },
    noteOf('expiry', entryId),
    {
      lots: [{ lot: refOf(lot), by: negate(amount), maturesAt: null }],
      consumed: [{ lot: refOf(lot), amount }],
      marks: isLast ? [{ entryId, status: 'expired' }] : [],
    },
  );
}
