import { negate } from '@laurel/values/amount';
import { release } from './hold';
import { isActive, LOTS_AT_ONCE, partsOf, refOf, sumOf, takenFrom } from './lots';
import { makerOf } from './settle';
import type { Draft, Lot, Wallet } from './types';
import { draft, noteOf } from './wallet';

/** Why a wallet is closed: the source_type of the entries that do it. */
export type ClosingReason = 'client_deleted' | 'client_anonymized';

/**
 * The next step of closing the wallet of a client who is gone: each hold is released, each pending lot
 * cancelled, then an adjust entry takes the balance to zero, or several where it is of very many lots. A balance that is zero
 * gets one, too: it is what says that nothing may be given back here any more. null once nothing is left to do, and where the
 * wallet was never used.
 */
export function close(wallet: Wallet, reason: ClosingReason): Draft | null {
  const [hold] = wallet.holds;
  if (hold) return release(wallet, hold, { outcome: 'cancelled', note: noteOf(reason, hold.id) });
  const pending = wallet.lots.find((lot) => !isActive(lot));
  if (pending) return cancelPending(pending, reason);
  if (wallet.closing || wallet.sequence === 0) return null;
  return wallet.lots.length > LOTS_AT_ONCE
    ? lapseOldest(wallet, reason)
    : closeBalance(wallet, reason);
}

function lapseOldest({ lots }: Wallet, reason: ClosingReason): Draft {
  const parts = partsOf(lots.slice(0, LOTS_AT_ONCE));
  const amount = sumOf(parts);
  const less = negate(amount);
  return draft(
    { type: 'adjust', amount: less, change: { active: less, spent: amount } },
    noteOf(reason, null),
    { lots: takenFrom(parts), consumed: parts },
  );
}

function cancelPending(lot: Lot, reason: ClosingReason): Draft {
  const amount = negate(lot.remaining);
  return draft(
    { type: 'cancel', amount, change: { pending: amount, earned: amount } },
    noteOf(reason, makerOf(lot.id)),
    {
      lots: [{ lot: refOf(lot), by: amount, maturesAt: lot.maturesAt }],
      consumed: [{ lot: refOf(lot), amount: lot.remaining }],
      marks: [{ entryId: makerOf(lot.id), status: 'cancelled' }],
    },
  );
}

function closeBalance(wallet: Wallet, reason: ClosingReason): Draft {
  const { active } = wallet.figures;
  const change =
    active > 0
      ? { active: negate(active), spent: active }
      : { active: negate(active), earned: negate(active) };
  const parts = partsOf(wallet.lots);
  return draft({ type: 'adjust', amount: negate(active), change }, noteOf(reason, null), {
    lots: takenFrom(parts),
    consumed: parts,
    closing: { successor: null },
  });
}
