import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type NewReward, newReward } from '../domain/reward';
import { fieldsOf, requireKnownReferences } from './reward-fields';
import { toRewardReply } from './wire';

/** Creates a reward. Throws INVALID_PAYLOAD naming every field that is wrong or names nothing. */
export async function createReward(
  deps: Pick<Deps, 'connection' | 'rewards' | 'ledger' | 'tiers' | 'segments' | 'outbox' | 'clock'>,
  request: api.CreateRewardRequest,
): Promise<api.Reward> {
  const { workspace_id: workspaceId } = request;
  const fields = fieldsOf(request) as NewReward;
  const reward = newReward({ id: newId(), workspaceId }, fields, deps.clock.now());
  const check = () => requireKnownReferences(deps, workspaceId, fields);
  return checkAndCommitOnce(deps.connection, check, async (session) => {
    await deps.rewards.insert(reward, session);
    const data = { reward_id: reward.id, change: 'created' as const };
    const changed = createEvent('rewards.reward_changed', {
      workspaceId,
      subject: reward.id,
      data,
    });
    await deps.outbox.append([changed], session);
    return toRewardReply(reward);
  });
}
