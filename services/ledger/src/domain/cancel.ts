import { add, negate, smaller, subtract, type Units, ZERO } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { aboveHole, givenTo, isActive, partsAboveHole, refOf, sumOf } from './lots';
import type { Draft, EntryType, LotChange, Moment, Note, Part, Wallet } from './types';
import { draft, refuseClosed } from './wallet';

/** What must be known of an entry to reverse it. */
export interface Reversible {
  id: string;
  type: EntryType;
  amount: Units;
  /** Of a credit: what no cancel or refund has taken back yet. Its lot may hold more, where a spend was given back to it. */
  left: Units;
  consumed: readonly Part[];
}

/** The entry to reverse, and what the caller says about it. */
export interface Reversal {
  entry: Reversible;
  note: Note;
}

/**
 * Reverses what is left of an earn, spend or adjust. A credit gives up what is left of its lot, but never more than refunds
 * of its purchase left of it; a debit is refunded to the lots it came from, whatever the caps. That an entry is reversed
 * once is the log's to see to (a unique claim on the entry).
 */
export function cancel(wallet: Wallet, reversal: Reversal, moment: Moment): Draft {
  const { entry } = reversal;
  if (!['earn', 'spend', 'adjust'].includes(entry.type)) throw refusals.notCancellable();
  refuseClosed(wallet);
  return entry.amount > 0 ? cancelCredit(wallet, reversal) : refundDebit(wallet, reversal, moment);
}

function cancelCredit(wallet: Wallet, { entry, note }: Reversal): Draft {
  const lot = wallet.lots.find(({ id }) => id === entry.id);
  const taken = smaller(lot?.remaining ?? ZERO, entry.left);
  if (!lot || taken <= 0) throw refusals.nothingLeft();

  // From here on it must succeed.
  const given = negate(taken);
  return draft(
    {
      type: 'cancel',
      amount: given,
      change: { [isActive(lot) ? 'active' : 'pending']: given, earned: given },
    },
    note,
    {
      lots: [{ lot: refOf(lot), by: given, maturesAt: lot.maturesAt }],
      consumed: [{ lot: refOf(lot), amount: taken }],
      marks: [{ entryId: entry.id, status: 'cancelled' }],
    },
  );
}

/**
 * Points that had gone below zero came from no lot: they fill the hole first, and what is left of them
 * becomes a lot of this entry, without expiry.
 */
function refundDebit(wallet: Wallet, { entry, note }: Reversal, moment: Moment): Draft {
  const amount = negate(entry.amount);
  const { active } = wallet.figures;
  const lotless = subtract(amount, sumOf(entry.consumed));
  const inOwnLot = aboveHole(active, lotless);
  const lots: LotChange[] = givenTo(partsAboveHole(add(active, lotless), entry.consumed));
  if (inOwnLot > 0) lots.push({ lot: ownLot(wallet, moment), by: inOwnLot, maturesAt: null });
  return draft(
    { type: 'cancel', amount, change: { active: amount, spent: negate(amount) } },
    note,
    { lots, marks: [{ entryId: entry.id, status: 'cancelled' }] },
  );
}

function ownLot(wallet: Wallet, { entryId, now }: Moment): LotChange['lot'] {
  return { id: entryId, madeAt: now, sequence: wallet.sequence + 1, expiresAt: null };
}
