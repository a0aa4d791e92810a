import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { CloneRow } from '../store/workspace-clones';

type EndDeps = Pick<Deps, 'clock' | 'connection' | 'outbox' | 'workspaceClones' | 'workspaces'>;

/** Gives a clone up: every service removes what it has of it, as of a workspace that was deleted. */
export async function endClone(
  { clock, connection, outbox, workspaceClones }: EndDeps,
  row: CloneRow & { lease?: string },
  problem: string,
): Promise<void> {
  const { _id: workspaceId } = row;
  await unitOfWork(connection, async (session) => {
    if (!(await workspaceClones.end(row, { problem, now: clock.now() }, session))) return;
    const about = { workspaceId, subject: workspaceId, data: { workspace_id: workspaceId } };
    await outbox.append([createEvent('identity.workspace_deleted', about)], session);
  });
}

/** What was being made like a workspace that is gone will never be ready; before the rows that say so go with it. */
export async function endClonesOf(deps: EndDeps, workspaceId: string): Promise<void> {
  for (const row of await deps.workspaceClones.underWay(workspaceId))
    await endClone(deps, row, 'its source was deleted');
}
