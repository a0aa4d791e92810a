import type { Deps } from '../deps';
import { countsTowardsLimits } from '../domain/availability';
import { type Attempt, spendOperation } from '../domain/redemption';
import { usageKeys } from './usage-keys';

/**
 * Undoes an attempt without a trace: refund, coupon, uses. Does nothing once it became a redemption.
 * Each part is repeatable, and so is the whole.
 */
export async function undoAttempt(deps: Deps, attempt: Attempt): Promise<void> {
  if (!(await beginUndoing(deps, attempt))) return;
  await giveBack(deps, attempt);
  const dueAt = new Date(deps.clock.now().getTime() + deps.rememberedMs);
  await deps.attempts.fail(attempt, dueAt);
}

/** The last look at a failed attempt: gives back what arrived after it was undone, then forgets it. */
export async function forgetAttempt(deps: Deps, attempt: Attempt): Promise<void> {
  await giveBack(deps, attempt);
  await deps.attempts.removeAll([attempt], 'failed');
}

/** From here on no process can fulfil it; false when one has. */
async function beginUndoing(deps: Deps, attempt: Attempt): Promise<boolean> {
  const { id, workspace_id } = attempt;
  for (;;) {
    const state = await deps.attempts.stateOf(workspace_id, id);
    if (state === null) return (await deps.redemptions.find(workspace_id, id)) === null;
    if (state === 'settling') return false;
    if (state === 'compensating' || state === 'failed') return true;
    const dueAt = new Date(deps.clock.now().getTime() + deps.abandonedMs);
    if (await deps.attempts.compensate(attempt, state, dueAt)) return true;
  }
}

async function giveBack(deps: Deps, attempt: Attempt): Promise<void> {
  const { id, workspace_id: workspaceId, reward_id: rewardId, cost, payment } = attempt;
  if (cost > 0)
    await deps.ledger.RefundSpend({
      workspace_id: workspaceId,
      spend_operation_id: spendOperation(id),
      reason: 'the redemption failed',
    });
  await deps.coupons.unclaim(workspaceId, id);
  const counted = countsTowardsLimits(payment);
  await deps.rewards.release(workspaceId, rewardId, { mark: id, counted });
  const { clientId } = await deps.departures.currentOf(workspaceId, attempt.client_id);
  await deps.usages.release(workspaceId, usageKeys(attempt, clientId), id);
}
