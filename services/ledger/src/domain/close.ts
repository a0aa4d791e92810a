import { negate } from '@laurel/amount';
import { release } from './hold';
import { isActive, refOf } from './lots';
import { makerOf } from './settle';
import type { Draft, Lot, Wallet } from './types';
import { draft, noteOf } from './wallet';

export const CLIENT_DELETED = 'client_deleted';

/**
 * The next step of closing the wallet of a deleted client: each hold is released, each pending lot
 * cancelled, then one adjust entry takes the balance to zero. null once nothing is left to do.
 */
export function close(wallet: Wallet): Draft | null {
  const [hold] = wallet.holds;
  if (hold) return release(wallet, hold, 'cancelled', noteOf(CLIENT_DELETED, hold.id));
  const pending = wallet.lots.find((lot) => !isActive(lot));
  if (pending) return cancelPending(pending);
  if (wallet.closing || wallet.figures.active === 0) return null;
  return closeBalance(wallet);
}

function cancelPending(lot: Lot): Draft {
  const amount = negate(lot.remaining);
  return draft(
    { type: 'cancel', amount, change: { pending: amount, earned: amount } },
    noteOf(CLIENT_DELETED, makerOf(lot.id)),
    {
      lots: [{ lot: refOf(lot), by: amount, maturesAt: lot.maturesAt }],
      consumed: [{ lot: refOf(lot), amount: lot.remaining }],
      marks: [{ entryId: makerOf(lot.id), status: 'cancelled' }],
    },
  );
}

function closeBalance(wallet: Wallet): Draft {
  const { active } = wallet.figures;
  const change =
    active > 0
      ? { active: negate(active), spent: active }
      : { active: negate(active), earned: negate(active) };
  return draft({ type: 'adjust', amount: negate(active), change }, noteOf(CLIENT_DELETED, null), {
    lots: wallet.lots.map((lot) => ({
      lot: refOf(lot),
      by: negate(lot.remaining),
      maturesAt: null,
    })),
    consumed: wallet.lots.map((lot) => ({ lot: refOf(lot), amount: lot.remaining })),
    closing: { successor: null },
  });
}
