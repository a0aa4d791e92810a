import type { TierReason } from '@laurel/contract';
import { type CloudEvent, createEvent, type TierReference } from '@laurel/events';
import { currentContext, runInContext } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { joined } from '../domain/chain';
import type { Member, Move } from '../domain/member';
import { messageFor } from '../domain/notification';
import type { Programme } from '../domain/programme';

/** A member as it is to be written, and what is to be announced of it. */
export interface Change {
  member: Member;
  move: Move | null;
  reason: TierReason;
  /** What has to be announced besides. */
  events?: readonly CloudEvent[];
}

/**
 * Makes changes durable in the caller's transaction: the members, their history, and for each move the
 * events that others act on. Throws StaleWrite when a member changed in the meantime.
 */
export async function recordMoves(
  { members, history, outbox }: Pick<Deps, 'members' | 'history' | 'outbox'>,
  { workspaceId, changes }: { workspaceId: string; changes: readonly Change[] },
  session: Session,
): Promise<void> {
  await members.saveAll(
    changes.map(({ member }) => member),
    session,
  );
  const moves = changes.flatMap(({ move, reason }) => (move ? [{ move, reason }] : []));
  await history.insertAll(workspaceId, moves, session);
  await outbox.append(
    changes.flatMap(({ events }) => events ?? []),
    session,
  );
}

/**
 * What a move is announced as: promotion or demotion, and the push where the tier asks for one. One that takes away what rules
 * gave is of their chain, too: they would give it again as often as it is taken (part 3, section 8).
 */
export function eventsOf(
  member: Member,
  moved: { move: Move; reason: TierReason },
  programme: Programme | null,
): CloudEvent[] {
  const { undoes } = moved.move;
  const context = currentContext();
  const own = undoes ? { ...context, ...joined(undoes, context) } : context;
  return runInContext(own, () => announced(member, moved, programme));
}

function announced(
  { id: clientId, workspaceId, anonymized, revision }: Member,
  { move, reason }: { move: Move; reason: TierReason },
  programme: Programme | null,
): CloudEvent[] {
  const about = { workspaceId, subject: clientId };
  const data = {
    client_id: clientId,
    previous_tier: referenceOf(move.from),
    tier: referenceOf(move.to),
    manually_assigned: move.assigned,
    expires_at: move.expiresAt?.toISOString() ?? null,
    reason,
    member_revision: revision + 1,
  };
  const type = move.promoted ? 'tiers.tier_promoted' : 'tiers.tier_demoted';
  const told = createEvent(type, { ...about, data });
  const body = anonymized ? null : messageFor(move, programme?.tiers ?? []);
  if (body === null) return [told];
  const direction = move.promoted ? ('promotion' as const) : ('demotion' as const);
  const request = {
    client_id: clientId,
    tier: data.tier,
    previous_tier: data.previous_tier,
    direction,
    body,
    tier_event_id: told.id,
  };
  return [told, createEvent('tiers.notification_requested', { ...about, data: request })];
}

function referenceOf(tier: Move['to']): TierReference | null {
  if (!tier) return null;
  const { id, name, sort_order, kind } = tier;
  return { id, name, sort_order, kind };
}
