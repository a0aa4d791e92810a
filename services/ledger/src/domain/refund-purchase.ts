import { larger, negate, smaller, subtract, type Units, ZERO } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { isActive, LOTS_AT_ONCE, refOf, sumOf, takenFrom, takeOldest } from './lots';
import type { Draft, LotChange, Note, Part, RuledWallet } from './types';
import { capsOf, draft } from './wallet';

export interface TakeBack {
  /** The earn of the purchase: its id is the id of its lot. */
  earnId: string;
  /** What of it no cancel or refund has taken back yet. */
  left: Units;
  /** The share of it that is due back. */
  due: Units;
}

/**
 * Takes back a share of what a purchase earned: first what is pending or left in the earn's own lot, then
 * the oldest other active points, then below zero where that is allowed. Takes what it can; null when
 * that is nothing, as it is once the client was deleted. What is missing is the shortfall, unless the entry names as many
 * lots as it may (`LOTS_AT_ONCE`): then the caller asks again for the rest. A wallet that was merged refuses, because what
 * the earn made has moved: the caller asks again where it went.
 */
export function takeBack({ wallet, rules }: RuledWallet, take: TakeBack, note: Note): Draft | null {
  if (wallet.closing?.successor) throw refusals.walletClosed();
  if (wallet.closing) return null;

  const own = wallet.lots.find(({ id }) => id === take.earnId);
  const fromOwn = own ? smaller(take.due, own.remaining) : ZERO;
  const parts: Part[] = own ? [{ lot: refOf(own), amount: fromOwn }] : [];
  const fromPending = own && !isActive(own) ? fromOwn : ZERO;

  const missing = subtract(take.due, fromOwn);
  const others = takeOldest(
    wallet.lots.filter((lot) => lot !== own),
    missing,
  ).slice(0, LOTS_AT_ONCE);
  const mayOwe = rules.allowNegative && others.length < LOTS_AT_ONCE;
  const fromOthers = mayOwe ? missing : sumOf(others);
  const taken = larger(ZERO, subtract(take.due, subtract(missing, fromOthers)));
  if (taken === 0) return null;

  const lots: LotChange[] = own
    ? [{ lot: refOf(own), by: negate(fromOwn), maturesAt: own.maturesAt }, ...takenFrom(others)]
    : takenFrom(others);
  return draft(
    {
      type: 'cancel',
      amount: negate(taken),
      change: {
        pending: negate(fromPending),
        active: negate(subtract(taken, fromPending)),
        earned: negate(taken),
      },
    },
    note,
    {
      lots,
      consumed: [...parts, ...others],
      marks: taken === take.left ? [{ entryId: take.earnId, status: 'cancelled' }] : [],
      caps: capsOf(rules, negate(take.due)),
    },
  );
}
