import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toRewardReply } from './wire';

/** Those of the named rewards that the workspace has. */
export async function getRewards(
  { rewards }: Pick<Deps, 'rewards'>,
  { workspace_id, ids }: api.RewardIds,
): Promise<api.RewardList> {
  return { rewards: (await rewards.findMany(workspace_id, ids)).map(toRewardReply) };
}
