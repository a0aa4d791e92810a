import { newId } from '@laurel/lifecycle';
import { commitInParts } from '@laurel/mongo';
import type { referrals as api } from '@laurel/rpc';
import { type CloseDeps, closeAll } from './close-pending';

/**
 * Cancels every referral that is pending now. A repeat goes on with those that were pending the first time, and counts all
 * of them; once that was answered it cancels nothing.
 */
export async function cancelPending(
  deps: CloseDeps,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.CancelledReferrals> {
  const begin = async () => ({ createdUntil: deps.clock.now(), closedFor: newId() });
  return commitInParts(deps.connection, begin, async ({ createdUntil, closedFor }) => {
    await closeAll(deps, { workspaceId, createdUntil, closedFor }, 'cancelled');
    return { cancelled: await deps.closings.countClosedFor(workspaceId, closedFor) };
  });
}
