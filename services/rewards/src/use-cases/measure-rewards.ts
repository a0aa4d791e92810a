import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toStatsReply } from './wire';

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
      ...(stats ? { stats: toStatsReply(reward, stats.get(reward.id)) } : {}),
      redeemed_by_day: byDay.get(reward.id) ?? [],
    })),
  };
}
