import { beyondRequest, currentContext } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { finishCancellation } from './finish-cancellation';

/**
 * Cancels a redemption: exact refund, use given back, coupon released. The first step decides it for
 * everybody; the next caller or job completes what follows, and nothing takes it back.
 */
export async function cancelRedemption(
  deps: Deps,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.CancelledRedemption> {
  await beginOrJoin(deps, workspaceId, id);
  try {
    return await finishCancellation(deps, workspaceId, id);
  } catch (error) {
    const abandon = () => deps.redemptions.abandonCancellation(workspaceId, id, deps.clock.now());
    await beyondRequest(abandon).catch((failure: unknown) =>
      deps.logger.warn({ err: failure, redemption_id: id }, 'a cancellation waits for its lease'),
    );
    throw error;
  }
}

/** Returns when it is this caller's to finish: as the first, as a repeat of the first, or after one that died. */
async function beginOrJoin(
  { redemptions, clock, abandonedMs }: Deps,
  workspaceId: string,
  id: string,
): Promise<void> {
  const operation = currentContext().operationId;
  const now = clock.now();
  const dueAt = new Date(now.getTime() + abandonedMs);
  if (await redemptions.beginCancellation(workspaceId, id, { now, dueAt, operation })) return;
  if (!(await redemptions.find(workspaceId, id))) throw refusals.redemptionNotFound();
  if (await redemptions.isCancelledBy(workspaceId, id, operation)) return;
  if (await redemptions.takeOverCancellation(workspaceId, id, { now, dueAt })) return;
  throw refusals.cancelled();
}
