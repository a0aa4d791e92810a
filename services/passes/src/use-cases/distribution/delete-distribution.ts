import { commitOnce, requireUnchanged, type Session } from '@laurel/mongo';
import type { EnrollmentDeps } from '../../deps';
import { refusals } from '../../refusals';
import { deletedEvent } from './distribution-events';

type Deps = Pick<
  EnrollmentDeps,
  'connection' | 'distributions' | 'references' | 'submissions' | 'outbox'
>;

/** Deletes a distribution that no referral programme builds its links on; the passes it gave out stay. */
export async function deleteDistribution(
  deps: Deps,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    const distribution = await deps.distributions.find(workspaceId, id, session);
    if (!distribution) throw refusals.distributionNotFound();
    requireUnchanged({ ...distribution, changedAt: distribution.date_updated });
    // The write with the guard: from here on no call changes what is about to go.
    await deps.distributions.replace(distribution, session);
    await deps.distributions.remove(workspaceId, id, session);
    await deps.submissions.remove(workspaceId, id, session);
    await deps.outbox.append([deletedEvent(distribution)], session);
    await deps.references.requireUnreferenced(workspaceId, 'distribution', [id]);
    return {};
  });
}

/** Deletes what a project gave passes out by, in the transaction that deletes the project; the ids of that. */
export async function deleteDistributionsOf(
  { distributions, submissions, outbox }: Omit<Deps, 'connection' | 'references'>,
  { workspaceId, projectId }: { workspaceId: string; projectId: string },
  session: Session,
): Promise<string[]> {
  const gone = await distributions.list(workspaceId, { projectId }, session);
  for (const { id } of gone) {
    await distributions.remove(workspaceId, id, session);
    await submissions.remove(workspaceId, id, session);
  }
  if (gone.length > 0) await outbox.append(gone.map(deletedEvent), session);
  return gone.map(({ id }) => id);
}
