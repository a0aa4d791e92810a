import { etagOf } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Reward } from '../domain/reward';
import { refusals } from '../refusals';
import { toRewardReply } from './wire';

export async function getReward(
  deps: Pick<Deps, 'rewards'>,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<api.Reward> {
  const reward = await requireReward(deps, workspace_id, id);
  return { ...toRewardReply(reward), etag: etagOf(reward) };
}

/** The reward, or RECORD_NOT_FOUND. */
export async function requireReward(
  { rewards }: Pick<Deps, 'rewards'>,
  workspaceId: string,
  id: string,
): Promise<Reward> {
  const reward = await rewards.find(workspaceId, id);
  if (!reward) throw refusals.rewardNotFound();
  return reward;
}
