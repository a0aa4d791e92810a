import type { Deps } from '../deps';
import { finishCancellation } from './finish-cancellation';

const BATCH = 100;

/** Completes cancellations that whoever began them did not end. */
export async function sweepCancellations(deps: Deps): Promise<{ more: boolean }> {
  for (let swept = 0; swept < BATCH; swept += 1) {
    const now = deps.clock.now();
    const dueAt = new Date(now.getTime() + deps.abandonedMs);
    const due = await deps.redemptions.claimAbandonedCancellation(now, dueAt);
    if (due === null) return { more: false };
    try {
      await finishCancellation(deps, due.workspace_id, due.id);
    } catch (error) {
      const names = { err: error, redemption_id: due.id };
      deps.logger.error(names, 'an abandoned cancellation could not be ended');
    }
  }
  return { more: true };
}
