import { negate, subtract, type Units, ZERO } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { givenTo, partsAboveHole, splitParts, takeAtOnce, takenFrom } from './lots';
import { refuseOverdraw } from './spend';
import type { Draft, EntryStatus, Hold, Moment, Note, Wallet } from './types';
import { draft, noteOf, refuseClosed } from './wallet';

/** A hold without expires_in_seconds lasts 7 days (part 3, section 16). */
export const HOLD_SECONDS_DEFAULT = 7 * 86_400;

export interface LockCommand extends Note {
  amount: Units;
  expiresInSeconds?: number | undefined;
}

/** Sets active points aside, oldest first. */
export function lock(wallet: Wallet, command: LockCommand, { entryId, now }: Moment): Draft {
  refuseClosed(wallet);
  refuseOverdraw(wallet, command.amount, false);
  const parts = takeAtOnce(wallet.lots, command.amount);

  // From here on it must succeed.
  const expiresAt = now + (command.expiresInSeconds ?? HOLD_SECONDS_DEFAULT) * 1_000;
  return draft(
    {
      type: 'lock',
      amount: negate(command.amount),
      change: { active: negate(command.amount), locked: command.amount },
    },
    command,
    {
      status: 'locked',
      expiresAt,
      lots: takenFrom(parts),
      consumed: parts,
      holds: [{ id: entryId, amount: command.amount, expiresAt, parts, outcome: 'expired' }],
    },
  );
}

/**
 * The hold that a lock entry placed, while any of it is held. What a capture left of it is not: it is on its way back, also to
 * who comes in the same moment (part 3, section 4).
 */
export function heldBy(wallet: Wallet, lockEntryId: string): Hold {
  const hold = wallet.holds.find(({ id }) => id === lockEntryId);
  if (!hold || hold.outcome === 'active') throw refusals.noLongerHeld();
  return hold;
}

/** How a hold ends that is given back. */
export interface Release {
  /** What the lock entry becomes. */
  outcome: EntryStatus;
  /** The ledger's own note where the caller says nothing. */
  note?: Note;
}

/** Gives a hold back to the lots it came from. */
export function release(
  { figures }: Pick<Wallet, 'figures'>,
  hold: Hold,
  { outcome, note }: Release,
): Draft {
  return draft(
    {
      type: 'unlock',
      amount: hold.amount,
      change: { active: hold.amount, locked: negate(hold.amount) },
    },
    note ?? noteOf('release', hold.id),
    {
      lots: givenTo(partsAboveHole(figures.active, hold.parts)),
      holds: [{ ...hold, amount: ZERO, parts: [] }],
      marks: [{ entryId: hold.id, status: outcome }],
    },
  );
}

export interface CaptureCommand {
  lockEntryId: string;
  /** All that is held when absent. */
  amount: Units | undefined;
}

/**
 * Spends what is held, or part of it. The rest is due for release at once (`settle`), so that one entry
 * is the commit of a capture and nothing can stay behind.
 */
export function capture(
  wallet: Wallet,
  { lockEntryId, amount }: CaptureCommand,
  { now }: Moment,
): Draft {
  const hold = heldBy(wallet, lockEntryId);
  const captured = amount ?? hold.amount;
  if (captured > hold.amount) throw refusals.captureTooLarge();

  // From here on it must succeed.
  const { first, rest } = splitParts(hold.parts, captured);
  const left = subtract(hold.amount, captured);
  return draft(
    {
      type: 'spend',
      amount: negate(captured),
      change: { locked: negate(captured), spent: captured },
    },
    noteOf('capture', hold.id),
    {
      consumed: first,
      holds: [{ ...hold, amount: left, expiresAt: now, parts: rest, outcome: 'active' }],
      marks: [{ entryId: hold.id, status: 'active' }],
    },
  );
}
