import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { type Attempt, recoveryOf } from '../domain/redemption';
import type { AbandonedAttempt } from '../store/attempts';
import { settleAttempt } from './settle-attempt';
import { forgetAttempt, undoAttempt } from './undo-attempt';

/**
 * Undoes what a process that died on the way left behind, or settles it where its redemption is there, never both. One
 * that cannot be ended now comes up again.
 */
export function recoverAttempt(deps: Deps, { attempt, context }: AbandonedAttempt): Promise<void> {
  return runInContext(systemContext({ ...context, background: true }), () =>
    recover(deps, attempt),
  );
}

async function recover(deps: Deps, attempt: Attempt): Promise<void> {
  switch (recoveryOf(attempt.state)) {
    case 'forget':
      return forgetAttempt(deps, attempt);
    case 'settle':
      return settleAttempt(deps, attempt, await writtenFor(deps, attempt));
    case 'undo':
      return undoAttempt(deps, attempt);
  }
}

/** Somebody else than it was begun for, where those two were merged before it was written. */
async function writtenFor({ redemptions }: Deps, attempt: Attempt): Promise<string> {
  const redemption = await redemptions.find(attempt.workspace_id, attempt.id);
  return redemption?.client_id ?? attempt.client_id;
}
