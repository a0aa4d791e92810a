import { smaller, toDecimal, type Units } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { aboveHole } from './lots';
import type { Draft, LotChange, Moment, Note, RuledWallet } from './types';
import { capsOf, DAY_MS, draft, refuseClosed, roomIn } from './wallet';

export interface EarnCommand extends Note {
  amount: Units;
  pendingDays?: number | undefined;
  expiryDays?: number | undefined;
}

/** Credits points, pending or active, as far as they fit under the cap. */
export function earn(on: RuledWallet, command: EarnCommand, moment: Moment): Draft {
  const { wallet, rules } = on;
  refuseClosed(wallet);
  const credited = creditable(on, command.amount);

  // From here on it must succeed.
  const pendingDays = command.pendingDays ?? rules.pendingDays ?? 0;
  const maturesAt = pendingDays > 0 ? moment.now + pendingDays * DAY_MS : null;
  const { lot, expiresAt } = newLot(on, { expiryDays: command.expiryDays, maturesAt }, moment);
  const inLot = maturesAt === null ? aboveHole(wallet.figures.active, credited) : credited;
  return draft(
    {
      type: 'earn',
      amount: credited,
      change: { [maturesAt === null ? 'active' : 'pending']: credited, earned: credited },
    },
    withRequested(command, credited),
    {
      status: maturesAt === null ? 'active' : 'pending',
      expiresAt,
      lots: inLot > 0 ? [{ lot, by: inLot, maturesAt }] : [],
      caps: capsOf(rules, command.amount),
    },
  );
}

/** What of a credit fits under the cap; refuses when nothing does. */
export function creditable({ wallet, rules }: RuledWallet, amount: Units): Units {
  const room = roomIn(wallet, rules);
  if (room === null) return amount;
  if (room === 0) throw refusals.maxBalance({ field: 'amount' });
  return smaller(amount, room);
}

/** A lot of the entry being decided. Says when its points expire: that counts from the moment they become active. */
export function newLot(
  { wallet, rules }: RuledWallet,
  { expiryDays, maturesAt }: { expiryDays: number | undefined; maturesAt: number | null },
  { entryId, now }: Moment,
): { lot: LotChange['lot']; expiresAt: number | null } {
  const days = expiryDays ?? rules.expiryDays;
  const expiresAt = days === null ? null : (maturesAt ?? now) + days * DAY_MS;
  return { expiresAt, lot: { id: entryId, madeAt: now, sequence: wallet.sequence + 1, expiresAt } };
}

/** The metadata of a capped credit keeps what was asked for. */
export function withRequested<C extends Note & { amount: Units }>(
  command: C,
  credited: Units,
): Note {
  if (credited === command.amount) return command;
  return {
    ...command,
    metadata: { ...command.metadata, requested_amount: toDecimal(command.amount) },
  };
}
