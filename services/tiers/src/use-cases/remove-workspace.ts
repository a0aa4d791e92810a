import { removeWorkspace as removeRows } from '@laurel/mongo';
import type { Deps } from '../deps';

/** Removes everything this service holds of a workspace. Repeating it is harmless. */
export async function removeWorkspace(
  deps: Pick<Deps, 'connection' | 'collections' | 'workspaces' | 'clock'>,
  workspaceId: string,
): Promise<void> {
  await deps.workspaces.markDeleted(workspaceId, deps.clock.now());
  await removeRows(deps, workspaceId);
}
