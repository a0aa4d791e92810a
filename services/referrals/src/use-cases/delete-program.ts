import { requireUnchanged, unitOfWork } from '@laurel/mongo';
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
  const programId = await unitOfWork(deps.connection, async (session) => {
    const program = await deps.programs.find(workspaceId, session);
    if (!program) throw refusals.noProgram();
    requireUnchanged({ ...program, changedAt: program.date_updated });
    await deps.programs.retire(program, deps.clock.now(), session);
    return program.id;
  });
  const cancelled = await closeAll(deps, { workspaceId, programId }, 'cancelled');
  return { cancelled_pending: cancelled };
}
