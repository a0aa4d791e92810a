import type { rewards as api } from '@laurel/rpc';
import { toDecimal, total } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { momentOf } from './list-redemptions';

const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 50;

/** The rewards redeemed most, and the totals over all of them. */
export async function listTopRewards(
  { redemptions, rewards }: Pick<Deps, 'redemptions' | 'rewards'>,
  request: api.TopRewardsRequest,
): Promise<api.TopRewards> {
  const { workspace_id: workspaceId, status, exclude_cancelled: excludeCancelled } = request;
  const tallies = await redemptions.tallyByReward(workspaceId, {
    status,
    excludeCancelled,
    from: momentOf(request.from_date),
    to: momentOf(request.to_date),
  });
  const limit = Math.min(Math.max(request.limit ?? LIMIT_DEFAULT, 1), LIMIT_MAX);
  const top = tallies
    .sort((a, b) => b.count - a.count || b.points - a.points || (a.rewardId < b.rewardId ? -1 : 1))
    .slice(0, limit);
  const names = await rewards.namesOf(
    workspaceId,
    top.map(({ rewardId }) => rewardId),
  );
  return {
    rewards: top.map(({ rewardId, count, points }) => ({
      reward_id: rewardId,
      reward_name: names.get(rewardId) ?? '',
      redemption_count: count,
      points_spent: toDecimal(points),
    })),
    total_count: tallies.reduce((sum, { count }) => sum + count, 0),
    total_points_spent: toDecimal(total(...tallies.map(({ points }) => points))),
  };
}
