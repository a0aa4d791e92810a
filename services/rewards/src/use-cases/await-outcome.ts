import { setTimeout as pause } from 'node:timers/promises';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { presentRedeemed } from './present-redeemed';

const PATIENCE_MS = 3_000;
const EVERY_MS = 25;

/**
 * Where the same operation is being worked on elsewhere, waits for what comes of it. Resolves 'unknown' when nobody is
 * at work on it and nothing has come of it, 'undone' when somebody was and nothing came of it: decide anew.
 */
export async function awaitOutcome(
  deps: Deps,
  { workspaceId, operationKey }: { workspaceId: string; operationKey: string },
): Promise<api.Redeemed | 'unknown' | 'undone'> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += EVERY_MS) {
    // In this order: an attempt is forgotten only once its redemption is there.
    const isRunning = await deps.attempts.isRunning(workspaceId, operationKey);
    const redemption = await deps.redemptions.findByOperation(workspaceId, operationKey);
    if (redemption) return presentRedeemed(deps, redemption);
    if (!isRunning) return waitedMs === 0 ? 'unknown' : 'undone';
    await pause(EVERY_MS);
  }
  throw refusals.stillRunning({ retryAfterSeconds: 1 });
}
