import { removeWorkspace as removeRows } from '@laurel/mongo';
import type { Deps } from '../deps';

type RemoveDeps = Pick<Deps, 'connection' | 'collections' | 'workspaces' | 'clock'>;

/** Removes everything this service holds of a workspace. Repeating it is harmless. */
export async function removeWorkspace(deps: RemoveDeps, workspaceId: string): Promise<void> {
  await deps.workspaces.markDeleted(workspaceId, deps.clock.now());
  await removeRows(deps, workspaceId);
}

const LATE_MS = 2 * 86_400_000;

/** Removes what a transaction that was under way wrote after its workspace went. */
export async function sweepDeletedWorkspaces(deps: RemoveDeps): Promise<void> {
  const moment = new Date(deps.clock.now().getTime() - LATE_MS);
  for (const workspaceId of await deps.workspaces.deletedSince(moment))
    await removeWorkspace(deps, workspaceId);
}
