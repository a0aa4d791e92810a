import type { Claimed } from '@laurel/work';
import type { Deps } from '../deps';
import { countsTowardsLimits } from '../domain/availability';
import { type Attempt, spendOperation } from '../domain/redemption';
import { usageKeys } from './usage-keys';

/** Longer than a call of the ledger may take that was given up. */
const FIRST_LOOK_MS = 10_000;

/**
 * Undoes an attempt without a trace: refund, coupon, uses. Does nothing once it became a redemption.
 * Each part is repeatable, and so is the whole.
 *
 * @param isRefused whether all that was asked for it has been answered, so that nothing is on its way still
 */
export async function undoAttempt(deps: Deps, attempt: Attempt, isRefused = false): Promise<void> {
  if (!(await beginUndoing(deps, attempt))) return;
  await giveBack(deps, attempt);
  const soon = isRefused ? null : nextLook(deps, attempt);
  const last = new Date(deps.clock.now().getTime() + deps.rememberedMs);
  await deps.attempts.fail(attempt, soon ?? last);
}

/** One more look at a failed attempt: gives back what arrived after it was undone, and forgets it at the last one. */
export async function lookAgain(
  deps: Deps,
  attempt: Attempt,
  claim: Claimed<unknown>,
): Promise<void> {
  await giveBack(deps, attempt);
  const next = nextLook(deps, attempt);
  if (next) await deps.attempts.due.postpone(claim, next);
  else await deps.attempts.removeAll([attempt], 'failed');
}

/**
 * What arrives late does so within seconds, mostly, and is missing on somebody's balance until the next look: the looks
 * come soon at first, and each at twice the age of the one before. Null once the attempt need not be remembered any more.
 */
function nextLook({ clock, rememberedMs }: Deps, { started_at: startedAt }: Attempt): Date | null {
  const ageMs = clock.now().getTime() - startedAt.getTime();
  if (ageMs >= rememberedMs) return null;
  const nextAgeMs = Math.min(Math.max(ageMs * 2, FIRST_LOOK_MS), rememberedMs);
  return new Date(startedAt.getTime() + nextAgeMs);
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
