import type { Deps } from '../deps';
import type { Attempt } from '../domain/redemption';
import { usageKeys } from './usage-keys';

/** The redemption is there: its reservations become final and the attempt is forgotten. Repeatable. */
export async function settleAttempt(
  deps: Deps,
  attempt: Attempt,
  currentClientId: string,
): Promise<void> {
  const { id, workspace_id: workspaceId, reward_id: rewardId } = attempt;
  const keys = usageKeys(attempt, currentClientId);
  await Promise.all([
    deps.rewards.settle(workspaceId, rewardId, id),
    deps.usages.settle(workspaceId, keys, id),
  ]);
  await deps.attempts.remove(workspaceId, id, 'settling');
}
