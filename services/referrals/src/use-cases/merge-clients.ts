import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isActive, keptTie, type Merge, planMerge } from '../domain/merge';
import { leadsTo } from './leads-to';
import { closedEvent } from './referral-events';

type MergeInWorkspace = Merge & { workspaceId: string };

/** A client became part of another: codes and referrals are the other's, as far as they still make sense. */
export async function mergeClients(
  deps: Deps,
  { workspaceId, sourceId, targetId }: MergeInWorkspace,
  session: Session,
): Promise<void> {
  const { people, codes } = deps;
  const source = await people.touch(workspaceId, { id: sourceId }, session);
  if (source.ended === 'merged' || source.ended === 'deleted') return;
  const target = await people.touch(workspaceId, { id: targetId }, session);
  // The target may have become part of a third meanwhile, and that one be gone.
  const heirId = target.mergedInto;
  const heir = heirId === null ? target : await people.touch(workspaceId, { id: heirId }, session);
  if (heir.ended === 'deleted') return leaveToNobody(deps, { workspaceId, sourceId }, session);
  const merge = { sourceId, targetId: heir.id };
  const ended = { id: sourceId, ending: 'merged' as const, mergedInto: merge.targetId };
  await people.end(workspaceId, ended, session);
  await codes.moveClient(workspaceId, merge, session);
  await moveReferrals(deps, { workspaceId, ...merge }, session);
}

/** The target was deleted before the merge was heard of: what became of it becomes of the source. */
async function leaveToNobody(
  { people, codes, referrals }: Deps,
  { workspaceId, sourceId }: Omit<MergeInWorkspace, 'targetId'>,
  session: Session,
): Promise<void> {
  await people.end(workspaceId, { id: sourceId, ending: 'deleted' }, session);
  await codes.removeClient(workspaceId, sourceId, session);
  await referrals.forgetClient(workspaceId, sourceId, session);
}

async function moveReferrals(
  deps: Deps,
  { workspaceId, ...merge }: MergeInWorkspace,
  session: Session,
): Promise<void> {
  const { referrals, people, statistics, outbox, clock } = deps;
  const { sourceId, targetId } = merge;
  const ties = await referrals.tiesOf(workspaceId, [sourceId, targetId], session);
  const kept = keptTie(ties, merge);
  const line = { workspaceId, from: kept?.referrer_client_id ?? null, ends: [sourceId, targetId] };
  const closesCycle = kept !== null && isActive(kept) && (await leadsTo(deps, line, session));
  // Those that give the referee up come first: two may not have one at any moment.
  const changes = planMerge(ties, merge, closesCycle).sort(
    (a, b) => Number(a.attributes) - Number(b.attributes),
  );
  for (const change of changes) {
    const dated = { ...change, now: clock.now() };
    const changed = await referrals.applyChange(workspaceId, dated, session);
    if (change.cancelled) await outbox.append([closedEvent(changed)], session);
  }
  await referrals.moveReferrer(workspaceId, merge, session);
  await people.involve(workspaceId, [targetId], session);
  const completed = await statistics.completedBy(workspaceId, targetId, session);
  await people.setCompleted(workspaceId, { id: targetId, completed }, session);
}
