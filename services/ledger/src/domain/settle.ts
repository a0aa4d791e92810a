import { negate, subtract } from '@laurel/values/amount';
import { release } from './hold';
import { aboveHole, isActive, refOf } from './lots';
import type { Draft, Hold, Lot, Wallet } from './types';
import { draft, noteOf } from './wallet';

/** A hold to be released, or a lot that matures or, once it is active, expires. */
type Due = { at: number; hold: Hold } | { at: number; lot: Lot };

/** When the next thing is due that the wallet does by itself; null when nothing ever will be. */
export function nextDueAt(wallet: Wallet): number | null {
  return earliest(wallet)?.at ?? null;
}

/**
 * The next thing due by `now`: that points mature, that points expire or that a hold is released, in
 * order of their times. null when nothing is. The log settles a wallet before each operation, so that no
 * operation ever sees points that should be gone, and a job does it where nothing else happens.
 */
export function settle(wallet: Wallet, now: number): { operation: string; draft: Draft } | null {
  const due = earliest(wallet);
  if (!due || due.at > now) return null;
  const sequence = wallet.sequence + 1;
  if ('hold' in due) {
    const released = release(wallet, due.hold, due.hold);
    return { operation: `release:${due.hold.id}:${sequence}`, draft: released };
  }
  return isActive(due.lot)
    ? { operation: `expire:${due.lot.id}:${sequence}`, draft: expire(wallet, due.lot) }
    : { operation: `mature:${due.lot.id}`, draft: mature(wallet, due.lot) };
}

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

function mature(wallet: Wallet, lot: Lot): Draft {
  const amount = lot.remaining;
  const filled = aboveHole(wallet.figures.active, amount);
  const lots = [{ lot: refOf(lot), by: subtract(filled, amount), maturesAt: null }];
  return draft(
    { type: 'unlock', amount, change: { pending: negate(amount), active: amount } },
    noteOf('maturation', makerOf(lot.id)),
    { expiresAt: lot.expiresAt, lots, marks: [{ entryId: makerOf(lot.id), status: 'active' }] },
  );
}

/** A transfer made several lots: it has expired once the last of them has. */
function expire({ lots }: Wallet, lot: Lot): Draft {
  const amount = lot.remaining;
  const entryId = makerOf(lot.id);
  const isLast = lots.every(({ id }) => id === lot.id || makerOf(id) !== entryId);
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
