import { negate, type Units } from '@laurel/values/amount';
import { creditable, newLot, withRequested } from './earn';
import { aboveHole } from './lots';
import { debit, refuseOverdraw } from './spend';
import type { Draft, Moment, Note, RuledWallet } from './types';
import { capsOf, draft, refuseClosed } from './wallet';

export interface AdjustCommand extends Note {
  /** Signed, not zero. */
  amount: Units;
  expiryDays?: number | undefined;
}

/** Moves the balance by hand: a credit is capped like an earn, a debit refused like a spend. */
export function adjust(on: RuledWallet, command: AdjustCommand, moment: Moment): Draft {
  const { wallet, rules } = on;
  refuseClosed(wallet);
  if (command.amount < 0) {
    const amount = negate(command.amount);
    refuseOverdraw(wallet, amount, rules.allowNegative);
    return debit(on, 'adjust', { ...command, amount });
  }
  const credited = creditable(on, command.amount);

  // From here on it must succeed.
  const { lot, expiresAt } = newLot(
    on,
    { expiryDays: command.expiryDays, maturesAt: null },
    moment,
  );
  const inLot = aboveHole(wallet.figures.active, credited);
  return draft(
    { type: 'adjust', amount: credited, change: { active: credited, earned: credited } },
    withRequested(command, credited),
    {
      expiresAt,
      lots: inLot > 0 ? [{ lot, by: inLot, maturesAt: null }] : [],
      caps: capsOf(rules, command.amount),
    },
  );
}
