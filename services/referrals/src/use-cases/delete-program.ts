import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { type CloseDeps, closeAll } from './close-pending';

/**
 * Deletes the program and cancels what is pending under it. From the first write on the workspace has
 * none; should this process die, `finishDeletions` cancels the rest.
 */
export async function deleteProgram(
  deps: CloseDeps & Pick<Deps, 'programs'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.DeletedProgram> {
  const programId = await deps.programs.retire(workspaceId, deps.clock.now());
  if (programId === null) throw refusals.noProgram();
  const cancelled = await closeAll(deps, { workspaceId, programId }, 'cancelled');
  return { cancelled_pending: cancelled };
}
