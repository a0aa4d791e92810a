import type { rewards as api } from '@laurel/rpc';
import type { RpcClients } from '../../rpc-clients';
import { readLastDays } from '../overview/last-days';

/** The rewards with how they fare, where that was asked for: one call for all of them. */
export async function withMeasures(
  { rpc, workspaceId: workspace_id }: { rpc: RpcClients; workspaceId: string },
  rewards: readonly api.Reward[],
  expand: readonly ('stats' | 'last30')[] = [],
): Promise<readonly object[]> {
  if (expand.length === 0 || rewards.length === 0) return rewards;
  const withDays = expand.includes('last30');
  const days = withDays ? await readLastDays(rpc, workspace_id) : null;
  const { measures } = await rpc.rewards.MeasureRewards({
    workspace_id,
    ids: rewards.map(({ id }) => id),
    with_stats: expand.includes('stats'),
    ...(days?.asked ?? { day_starts: [], until: 0 }),
  });
  const known = new Map(measures.map((measure) => [measure.reward_id, measure]));
  return rewards.map((reward) => {
    const { stats, redeemed_by_day = [] } = known.get(reward.id) ?? {};
    return {
      ...reward,
      ...(stats ? { stats } : {}),
      ...(days ? { last30: days.present(redeemed_by_day) } : {}),
    };
  });
}
