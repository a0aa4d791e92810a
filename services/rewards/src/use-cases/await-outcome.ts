import { setTimeout as pause } from 'node:timers/promises';
import { answerBy } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { presentRedeemed } from './present-redeemed';

/** A process that ends lets what it has begun come to its end, which takes seconds where all of them are busy. */
const PATIENCE_MS = 8_000;
/** What is left of the caller's time for the answer. */
const ANSWER_MS = 500;
const FIRST_LOOK_MS = 25;
const LAST_LOOK_MS = 200;

/**
 * Where the same operation is being worked on elsewhere, waits for what comes of it. Resolves 'unknown' when no process is
 * at work on it and nothing has come of it, 'undone' when somebody was and nothing came of it: decide anew.
 */
export async function awaitOutcome(
  deps: Deps,
  { workspaceId, operationKey }: { workspaceId: string; operationKey: string },
): Promise<api.Redeemed | 'unknown' | 'undone'> {
  const until = Math.min(Date.now() + PATIENCE_MS, answerBy(ANSWER_MS));
  for (let looks = 1; looks === 1 || Date.now() < until; looks += 1) {
    // In this order: an attempt is forgotten only once its redemption is there.
    const isRunning = await deps.attempts.isRunning(workspaceId, operationKey);
    const redemption = await deps.redemptions.findByOperation(workspaceId, operationKey);
    if (redemption) return presentRedeemed(deps, redemption);
    if (!isRunning) return looks === 1 ? 'unknown' : 'undone';
    await pause(Math.min(FIRST_LOOK_MS * looks, LAST_LOOK_MS));
  }
  throw refusals.stillRunning({ retryAfterSeconds: 1 });
}
