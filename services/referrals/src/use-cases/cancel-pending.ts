import type { referrals as api } from '@laurel/rpc';
import { type CloseDeps, closeAll } from './close-pending';

/** Cancels every referral that is pending now. */
export async function cancelPending(
  deps: CloseDeps,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.CancelledReferrals> {
  const selection = { workspaceId, createdUntil: deps.clock.now() };
  return { cancelled: await closeAll(deps, selection, 'cancelled') };
}
