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
  const { programId, retiredAt } = await unitOfWork(deps.connection, async (session) => {
    const program = await deps.programs.find(workspaceId, session);
    if (!program) throw refusals.noProgram();
    requireUnchanged({ ...program, changedAt: program.date_updated });
    const now = deps.clock.now();
    await deps.programs.retire(program, now, session);
    return { programId: program.id, retiredAt: now };
  });
  await closeAll(deps, { workspaceId, programId }, 'cancelled');
  // Some may have been cancelled by who finishes deletions.
  const cancelled_pending = await deps.closings.countCancelled(workspaceId, programId, retiredAt);
  return { cancelled_pending };
}
