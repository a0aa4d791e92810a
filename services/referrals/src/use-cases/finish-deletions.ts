import { workInTurn } from '@laurel/work';
import type { Deps } from '../deps';
import { type CloseDeps, closeAll } from './close-pending';

const BATCH = 20;
/** Longer than any unit of work lives: a referral that was being made meanwhile is in by then. */
const SETTLE_MS = 90_000;

/** Cancels what is still pending under deleted programs, and forgets those under which nothing can be. */
export async function finishDeletions(
  deps: CloseDeps & Pick<Deps, 'programs'>,
): Promise<{ more: boolean }> {
  const deleted = await deps.programs.findDeleted(BATCH);
  let settled = 0;
  const { more } = await workInTurn(deleted, BATCH, async ({ id, workspaceId, deletedAt }) => {
    // By the clock that it was deleted by: a sandbox may be years ahead.
    const isSettled = deletedAt.getTime() + SETTLE_MS <= deps.clock.now(workspaceId).getTime();
    await closeAll(deps, { workspaceId, programId: id }, 'cancelled');
    if (!isSettled) return;
    await deps.programs.removeDeleted(workspaceId, id);
    settled += 1;
  });
  return { more: more && settled > 0 };
}
