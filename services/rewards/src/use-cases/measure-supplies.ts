import { mapAtOnce } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { lockForEverybody } from '../domain/availability';
import { livesOnImports, type Reward, usesLeft } from '../domain/reward';

/** Counts of codes under way at once. */
const AT_ONCE = 4;

/**
 * How much of each reward there is to be given at a moment, for any client. What gifts that are under way will take is
 * not set aside: it is an estimate.
 */
export async function measureSupplies(
  deps: Pick<Deps, 'coupons' | 'rewards'>,
  { workspace_id: workspaceId, ids, at }: api.MeasureSuppliesRequest,
): Promise<api.SupplyList> {
  const found = await deps.rewards.findMany(workspaceId, ids);
  const moment = new Date(at);
  return {
    supplies: await mapAtOnce(found, AT_ONCE, (reward) => supplyOf(deps, reward, moment)),
  };
}

async function supplyOf(
  { coupons }: Pick<Deps, 'coupons'>,
  reward: Reward,
  at: Date,
): Promise<api.Supply> {
  const { id, workspace_id: workspaceId, visibility_tiers, visibility_segments } = reward;
  return {
    reward_id: id,
    reason: lockForEverybody(reward, at),
    cost_in_points: toDecimal(reward.cost_in_points),
    uses_left: usesLeft(reward),
    coupons_left: livesOnImports(reward) ? await coupons.countFree(workspaceId, id) : null,
    visibility_tiers: [...visibility_tiers],
    visibility_segments: [...visibility_segments],
  };
}
