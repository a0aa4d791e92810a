import type { rewards as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type Reward, usesLeft } from '../domain/reward';
import type { RewardTally } from '../store/redemption-tallies';

/** How many rewards fare, and how often they were redeemed day by day: two looks at the store, however many they are. */
export async function measureRewards(
  { rewards, redemptions }: Pick<Deps, 'rewards' | 'redemptions'>,
  request: api.MeasureRewardsRequest,
): Promise<api.RewardMeasures> {
  const { workspace_id: workspaceId, ids, with_stats, day_starts: dayStarts, until } = request;
  const found = await rewards.findMany(workspaceId, ids);
  const known = found.map(({ id }) => id);
  const [stats, byDay] = await Promise.all([
    with_stats ? redemptions.statsOf(workspaceId, known) : undefined,
    redemptions.countByDay(workspaceId, known, { dayStarts, until }),
  ]);
  return {
    measures: found.map((reward) => ({
      reward_id: reward.id,
      ...(stats ? { stats: statsReply(reward, stats.get(reward.id)) } : {}),
      redeemed_by_day: byDay.get(reward.id) ?? [],
    })),
  };
}

/** How a reward fares: redeemed is gross, points_spent net of what was cancelled. */
export function statsReply(reward: Reward, stats: RewardTally | undefined): api.RewardStats {
  const { fulfilled = 0, cancelled = 0, used = 0, points } = stats ?? {};
  return {
    redeemed: fulfilled + cancelled,
    cancelled,
    used,
    remaining: usesLeft(reward),
    points_spent: points === undefined ? 0 : toDecimal(points),
  };
}
