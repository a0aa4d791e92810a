import type { Deps } from '../deps';
import type { Attempt } from '../domain/redemption';
import { usageKeys } from './usage-keys';

/** The redemption is there, as one of `writtenFor`: its reservations become final and the attempt is forgotten. Repeatable. */
export async function settleAttempt(
  deps: Deps,
  attempt: Attempt,
  writtenFor: string,
): Promise<void> {
  const { id, workspace_id: workspaceId, reward_id: rewardId } = attempt;
  await Promise.all([
    deps.rewards.settle(workspaceId, rewardId, id),
    settleUse(deps, attempt, writtenFor),
  ]);
  await deps.attempts.remove(workspaceId, id, 'settling');
}

/** A merge while this goes on carries the use, mark and all, to another client: it is made final there, too. */
async function settleUse(deps: Deps, attempt: Attempt, writtenFor: string): Promise<void> {
  const { id, workspace_id: workspaceId } = attempt;
  for (let clientId = writtenFor; ; ) {
    await deps.usages.settle(workspaceId, usageKeys(attempt, clientId), id);
    const current = await deps.departures.catchUp(deps, { workspaceId, clientId });
    if (current === clientId) return;
    clientId = current;
  }
}
