import { Refusal } from '@laurel/errors';
import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { type Attempt, recoveryOf } from '../domain/redemption';
import { completeAttempt, LostAttempt } from './complete-attempt';
import { settleAttempt } from './settle-attempt';
import { forgetAttempt, undoAttempt } from './undo-attempt';

const BATCH = 100;

/**
 * Completes or undoes what was left behind by whoever died on the way, never both. One that cannot be
 * ended now is passed over and comes up again.
 */
export async function sweepRedemptions(deps: Deps): Promise<{ more: boolean }> {
  for (let swept = 0; swept < BATCH; swept += 1) {
    const now = deps.clock.now();
    const dueAt = new Date(now.getTime() + deps.abandonedMs);
    const found = await deps.attempts.claimAbandoned(now, dueAt);
    if (found === null) return { more: false };
    const { attempt, operationKey, context } = found;
    try {
      await runInContext(systemContext({ ...context, background: true }), () =>
        recover(deps, attempt, operationKey),
      );
    } catch (error) {
      const names = { err: error, redemption_id: attempt.id, state: attempt.state };
      deps.logger.error(names, 'an abandoned redemption could not be ended');
    }
  }
  return { more: true };
}

async function recover(
  deps: Deps,
  attempt: Attempt,
  operationKey: string | undefined,
): Promise<void> {
  switch (recoveryOf(attempt.state)) {
    case 'forget':
      return forgetAttempt(deps, attempt);
    case 'settle':
      return settle(deps, attempt);
    case 'undo':
      return undoAttempt(deps, attempt);
    case 'complete':
      return completeOrUndo(deps, attempt, operationKey ?? attempt.id);
  }
}

async function settle(deps: Deps, attempt: Attempt): Promise<void> {
  const clientId = await deps.merges.currentOf(attempt.workspace_id, attempt.client_id);
  await settleAttempt(deps, attempt, clientId);
}

async function completeOrUndo(deps: Deps, attempt: Attempt, operationKey: string): Promise<void> {
  try {
    await completeAttempt(deps, attempt, operationKey);
  } catch (error) {
    if (error instanceof LostAttempt) return;
    if (!(error instanceof Refusal)) throw error;
    await undoAttempt(deps, attempt);
  }
}
