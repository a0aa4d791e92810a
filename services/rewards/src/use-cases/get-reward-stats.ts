import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireReward } from './get-reward';
import { toStatsReply } from './wire';

/** How a reward fares: redeemed is gross, points_spent net of what was cancelled (part 3, section 16). */
export async function getRewardStats(
  deps: Pick<Deps, 'rewards' | 'redemptions'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.RewardStats> {
  const reward = await requireReward(deps, workspaceId, id);
  return toStatsReply(reward, (await deps.redemptions.statsOf(workspaceId, [id])).get(id));
}
