import type { Deps } from '../deps';
import type { Attempt } from '../domain/redemption';
import { moveLate } from './move-client';
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

/** Who the client is now is asked once everything of them is written: a merge that is not known by then finds it all. */
async function settleUse(deps: Deps, attempt: Attempt, writtenFor: string): Promise<void> {
  const { id, workspace_id: workspaceId } = attempt;
  for (let source = writtenFor; ; ) {
    await deps.usages.settle(workspaceId, usageKeys(attempt, source), id);
    const target = await deps.merges.currentOf(workspaceId, source);
    if (target === source) return;
    await moveLate(deps, workspaceId, { source, target });
    source = target;
  }
}
