import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toRewardReply } from './wire';

export async function listRewards(
  { rewards }: Pick<Deps, 'rewards'>,
  { workspace_id, active, purchasable, key, limit, offset }: api.ListRewardsRequest,
): Promise<api.RewardPage> {
  const page = await rewards.list(workspace_id, { active, purchasable, key }, { limit, offset });
  return { rewards: page.rewards.map(toRewardReply), total_count: page.total };
}
