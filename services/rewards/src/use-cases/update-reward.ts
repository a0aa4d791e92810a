import { createEvent } from '@laurel/events';
import { checkAndCommitOnce, etagOf, keyAfter, requireUnchanged, StaleWrite } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { changedReward } from '../domain/reward';
import { refusals } from '../refusals';
import { fieldsOf, requireKnownReferences } from './reward-fields';
import { toRewardReply } from './wire';

/** Changes the fields that are named. Redemptions on their way are decided anew on the change. */
export async function updateReward(
  deps: Pick<Deps, 'connection' | 'rewards' | 'ledger' | 'tiers' | 'segments' | 'outbox' | 'clock'>,
  request: api.UpdateRewardRequest,
): Promise<api.Reward> {
  const { workspace_id: workspaceId, id } = request;
  const changes = fieldsOf(request);
  const check = () => requireKnownReferences(deps, workspaceId, changes);
  try {
    return await checkAndCommitOnce(deps.connection, check, async (session) => {
      const reward = await deps.rewards.find(workspaceId, id, session);
      if (!reward) throw refusals.rewardNotFound();
      requireUnchanged({ ...reward, changedAt: reward.date_updated });
      const key = keyAfter(reward.key, changes.key, () => refusals.keyGiven({ field: 'key' }));
      const changed = changedReward(reward, { ...changes, key }, deps.clock.now());
      await deps.rewards.replaceFields(changed, session);
      const data = { reward_id: id, change: 'updated' as const };
      const event = createEvent('rewards.reward_changed', { workspaceId, subject: id, data });
      await deps.outbox.append([event], session);
      return { ...toRewardReply(changed), etag: etagOf(changed) };
    });
  } catch (error) {
    throw error instanceof StaleWrite ? refusals.rewardChanged() : error;
  }
}
