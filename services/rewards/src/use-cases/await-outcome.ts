import { setTimeout as pause } from 'node:timers/promises';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { presentRedeemed } from './present-redeemed';

const PATIENCE_MS = 3_000;
const EVERY_MS = 25;

/**
 * The same operation is being worked on elsewhere: waits for what comes of it. Resolves 'changed' when
 * nothing came of it, so that it is decided anew.
 */
export async function awaitOutcome(
  deps: Deps,
  { workspaceId, operationKey }: { workspaceId: string; operationKey: string },
): Promise<api.Redeemed | 'changed'> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += EVERY_MS) {
    const redemption = await deps.redemptions.findByOperation(workspaceId, operationKey);
    if (redemption) return presentRedeemed(deps, redemption);
    if (!(await deps.attempts.isRunning(workspaceId, operationKey))) return 'changed';
    await pause(EVERY_MS);
  }
  throw refusals.stillRunning({ retryAfterSeconds: 1 });
}
