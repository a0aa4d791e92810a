import { Refusal } from '@laurel/errors';
import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { type Attempt, recoveryOf } from '../domain/redemption';
import type { AbandonedAttempt } from '../store/attempts';
import { completeAttempt, LostAttempt } from './complete-attempt';
import { settleAttempt } from './settle-attempt';
import { forgetAttempt, undoAttempt } from './undo-attempt';

/**
 * Completes or undoes what was left behind by whoever died on the way, never both. One that cannot be
 * ended now comes up again.
 */
export function recoverAttempt(
  deps: Deps,
  { attempt, operationKey, context }: AbandonedAttempt,
): Promise<void> {
  return runInContext(systemContext({ ...context, background: true }), () =>
    recover(deps, attempt, operationKey),
  );
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
      return settleAttempt(deps, attempt, attempt.client_id);
    case 'undo':
      return undoAttempt(deps, attempt);
    case 'complete':
      return completeOrUndo(deps, attempt, operationKey ?? attempt.id);
  }
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
