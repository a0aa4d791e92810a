import { toDecimal } from '@laurel/amount';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireReward } from './get-reward';

/** How a reward fares: redeemed is gross, points_spent net of what was cancelled (part 3, section 16). */
export async function getRewardStats(
  deps: Pick<Deps, 'rewards' | 'redemptions'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.RewardStats> {
  const { usage_limit: limit, used } = await requireReward(deps, workspaceId, id);
  const stats = await deps.redemptions.statsOf(workspaceId, id);
  return {
    redeemed: stats.fulfilled + stats.cancelled,
    cancelled: stats.cancelled,
    used: stats.used,
    remaining: limit === null ? null : Math.max(limit - used, 0),
    points_spent: toDecimal(stats.points),
  };
}
