import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Claimed } from '@laurel/work';
import type { Deps } from '../deps';
import { type Attempt, recoveryOf } from '../domain/redemption';
import type { AbandonedAttempt } from '../store/attempts';
import { settleAttempt } from './settle-attempt';
import { lookAgain, undoAttempt } from './undo-attempt';

/**
 * Undoes what a process that died on the way left behind, or settles it where its redemption is there, never both. One
 * that cannot be ended now comes up again.
 */
export function recoverAttempt(
  deps: Deps,
  { attempt, context }: AbandonedAttempt,
  claim: Claimed<unknown>,
): Promise<void> {
  return runInContext(systemContext({ ...context, background: true }), () =>
    recover(deps, attempt, claim),
  );
}

async function recover(deps: Deps, attempt: Attempt, claim: Claimed<unknown>): Promise<void> {
  switch (recoveryOf(attempt.state)) {
    case 'look again':
      return lookAgain(deps, attempt, claim);
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
