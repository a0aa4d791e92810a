import type { TierReason } from '@laurel/contract';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Mode } from '../domain/evaluate';
import { type Member, settle } from '../domain/member';
import type { Programme } from '../domain/programme';
import { type Change, eventsOf, recordMoves } from './record-moves';

export type SettleDeps = Pick<Deps, 'members' | 'history' | 'outbox' | 'clock'>;

interface Occasion {
  programme: Programme | null;
  mode: Mode;
  reason: TierReason;
}

/** Where a member belongs now, and what is to be announced of it. */
export function settled(member: Member, { programme, mode, reason }: Occasion, now: Date): Change {
  const { member: after, move } = settle(member, programme, { mode, now });
  const events = move ? eventsOf(after, { move, reason }, programme) : [];
  return { member: after, move, reason, events };
}

/**
 * Puts one member where it belongs, in the caller's transaction. `now` is the caller's too: what it decided and what
 * follows from it happen at one moment.
 */
export async function settleMember(
  deps: SettleDeps,
  { member, now, ...occasion }: Occasion & { member: Member; now: Date },
  session: Session,
): Promise<Member> {
  const change = settled(member, occasion, now);
  await recordMoves(deps, { workspaceId: member.workspaceId, changes: [change] }, session);
  return change.member;
}

/** Whether settling changed anything worth writing. */
export function isDifferent(before: Member, after: Member): boolean {
  return (
    before.tier?.id !== after.tier?.id ||
    before.assignment?.tierId !== after.assignment?.tierId ||
    before.lapsed !== after.lapsed ||
    before.dueAt?.getTime() !== after.dueAt?.getTime()
  );
}
