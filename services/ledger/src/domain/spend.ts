import { negate, type Units } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { takeAtOnce, takenFrom } from './lots';
import type { Draft, Note, Part, RuledWallet, Wallet } from './types';
import { capsOf, draft, refuseClosed } from './wallet';

export interface SpendCommand extends Note {
  amount: Units;
}

/** Debits active points, oldest first; below zero only where the wallet type allows it. */
export function spend(on: RuledWallet, command: SpendCommand): Draft {
  const { wallet, rules } = on;
  refuseClosed(wallet);
  refuseOverdraw(wallet, command.amount, rules.allowNegative);
  return debit(on, 'spend', command);
}

export function refuseOverdraw(wallet: Wallet, amount: Units, allowNegative: boolean): void {
  if (!allowNegative && wallet.figures.active < amount) {
    throw refusals.insufficientBalance({ field: 'amount' });
  }
}

/** The entry of a debit that was allowed; `amount` of the command is positive. */
export function debit(
  { wallet, rules }: RuledWallet,
  type: 'spend' | 'adjust',
  command: SpendCommand,
): Draft {
  const parts: Part[] = takeAtOnce(wallet.lots, command.amount);
  return draft(
    {
      type,
      amount: negate(command.amount),
      change: { active: negate(command.amount), spent: command.amount },
    },
    command,
    { lots: takenFrom(parts), consumed: parts, caps: capsOf(rules, negate(command.amount)) },
  );
}
