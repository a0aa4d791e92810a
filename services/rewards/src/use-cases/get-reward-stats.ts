import { toDecimal } from '@laurel/amount';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { usesLeft } from '../domain/reward';
import { requireReward } from './get-reward';

/** How a reward fares: redeemed is gross, points_spent net of what was cancelled (part 3, section 16). */
export async function getRewardStats(
  deps: Pick<Deps, 'rewards' | 'redemptions'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.RewardStats> {
  const reward = await requireReward(deps, workspaceId, id);
  const stats = await deps.redemptions.statsOf(workspaceId, id);
  return {
    redeemed: stats.fulfilled + stats.cancelled,
    cancelled: stats.cancelled,
    used: stats.used,
    remaining: usesLeft(reward),
    points_spent: toDecimal(stats.points),
  };
}
