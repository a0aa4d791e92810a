import { negate, type Units } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { partsAboveHole, sumOf, takeAtOnce, takenFrom } from './lots';
import { refuseOverdraw } from './spend';
import type { Draft, LotChange, Moment, Note, Part, RuledWallet } from './types';
import { capsOf, draft, refuseClosed, roomIn } from './wallet';

export interface TransferCommand extends Note {
  amount: Units;
}

/** What comes over from the giving side, and what the caller says about it. */
export interface Arrival {
  parts: readonly Part[];
  note: Note;
}

/** The giving side: active points, oldest first, never below zero. */
export function transferOut({ wallet, rules }: RuledWallet, command: TransferCommand): Draft {
  refuseClosed(wallet);
  refuseOverdraw(wallet, command.amount, false);
  const parts = takeAtOnce(wallet.lots, command.amount);

  // From here on it must succeed.
  const amount = negate(command.amount);
  return draft(
    { type: 'transfer_out', amount, change: { active: amount, moved: amount } },
    command,
    {
      lots: takenFrom(parts),
      consumed: parts,
      caps: capsOf(rules, amount),
    },
  );
}

/** The receiving side: new lots that keep the expiry of those the points came from. */
export function transferIn(
  { wallet, rules }: RuledWallet,
  { parts, note }: Arrival,
  moment: Moment,
): Draft {
  refuseClosed(wallet);
  const amount = sumOf(parts);
  const room = roomIn(wallet, rules);
  if (room !== null && room < amount) {
    const message = 'the amount does not fit under the max_balance of the receiving wallet';
    throw refusals.maxBalance({ field: 'amount', message });
  }

  // From here on it must succeed.
  const lots: LotChange[] = partsAboveHole(wallet.figures.active, parts).map((part, index) => ({
    lot: {
      id: `${moment.entryId}.${String(index).padStart(4, '0')}`,
      madeAt: moment.now,
      sequence: wallet.sequence + 1,
      expiresAt: part.lot.expiresAt,
    },
    by: part.amount,
    maturesAt: null,
  }));
  return draft({ type: 'transfer_in', amount, change: { active: amount, moved: amount } }, note, {
    expiresAt: earliestExpiry(parts),
    lots,
    caps: capsOf(rules, amount),
  });
}

function earliestExpiry(parts: readonly Part[]): number | null {
  const expiries = parts.flatMap(({ lot }) => (lot.expiresAt === null ? [] : [lot.expiresAt]));
  return expiries.length === 0 ? null : Math.min(...expiries);
}
