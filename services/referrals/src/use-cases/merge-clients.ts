import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isActive, keptTie, type Merge, planMerge } from '../domain/merge';
import { leadsTo } from './leads-to';
import { closedEvent } from './referral-events';

/** A client became part of another: codes and referrals are the other's, as far as they still make sense. */
export async function mergeClients(
  deps: Deps,
  workspaceId: string,
  { sourceId, targetId }: Merge,
  session: Session,
): Promise<void> {
  const { people, codes } = deps;
  const source = await people.touch(workspaceId, sourceId, session);
  if (source.ended === 'merged' || source.ended === 'deleted') return;
  const target = await people.touch(workspaceId, targetId, session);
  if (target.ended === 'deleted') return leaveToNobody(deps, workspaceId, source.id, session);
  const merge = { sourceId, targetId: target.mergedInto ?? targetId };
  const ending = { ending: 'merged' as const, mergedInto: merge.targetId };
  await people.end(workspaceId, sourceId, ending, session);
  await codes.moveClient(workspaceId, sourceId, merge.targetId, session);
  await moveReferrals(deps, workspaceId, merge, session);
}

/** The target was deleted before the merge was heard of: what became of it becomes of the source. */
async function leaveToNobody(
  { people, codes, referrals }: Deps,
  workspaceId: string,
  sourceId: string,
  session: Session,
): Promise<void> {
  await people.end(workspaceId, sourceId, { ending: 'deleted' }, session);
  await codes.removeClient(workspaceId, sourceId, session);
  await referrals.forgetClient(workspaceId, sourceId, session);
}

async function moveReferrals(
  deps: Deps,
  workspaceId: string,
  merge: Merge,
  session: Session,
): Promise<void> {
  const { referrals, people, statistics, outbox, clock } = deps;
  const { sourceId, targetId } = merge;
  const ties = await referrals.tiesOf(workspaceId, [sourceId, targetId], session);
  const kept = keptTie(ties, merge);
  const line = { from: kept?.referrer_client_id ?? null, ends: [sourceId, targetId] };
  const closesCycle =
    kept !== null && isActive(kept) && (await leadsTo(deps, workspaceId, line, session));
  // Those that give the referee up come first: two may not have one at any moment.
  const changes = planMerge(ties, merge, closesCycle).sort(
    (a, b) => Number(a.attributes) - Number(b.attributes),
  );
  for (const change of changes) {
    const changed = await referrals.applyChange(workspaceId, change, clock.now(), session);
    if (change.cancelled) await outbox.append([closedEvent(changed)], session);
  }
  await referrals.moveReferrer(workspaceId, sourceId, targetId, session);
  await people.involve(workspaceId, [targetId], session);
  const completed = await statistics.completedBy(workspaceId, targetId, session);
  await people.setCompleted(workspaceId, targetId, completed, session);
}
