import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { canAfford, type Facts, lockOn } from '../domain/availability';
import type { Reward } from '../domain/reward';
import { refusals } from '../refusals';
import { isActive, isOutOfCoupons, pursesOf, segmentsOf } from './gather-facts';
import { requireReward } from './get-reward';
import { toRewardReply } from './wire';

/** No page shows one client more rewards than this. */
const REWARDS_MAX = 1_000;

/** The active rewards that have not ended, as one client sees them. */
export async function listClientRewards(
  deps: Deps,
  request: api.ListClientRewardsRequest,
): Promise<api.ClientRewardList> {
  const { workspace_id, purchasable_only } = request;
  const filter = { active: true, ...(purchasable_only ? { purchasable: true } : {}) };
  const page = { limit: REWARDS_MAX, offset: 0 };
  const { rewards } = await deps.rewards.list(workspace_id, filter, page);
  return { rewards: await seenBy(deps, request, rewards) };
}

/** One of them, or RECORD_NOT_FOUND. */
export async function getClientReward(
  deps: Deps,
  request: api.GetClientRewardRequest,
): Promise<api.ClientReward> {
  const reward = await requireReward(deps, request.workspace_id, request.reward_id);
  const isShown = reward.active && (reward.purchasable || !request.purchasable_only);
  const [seen] = isShown ? await seenBy(deps, request, [reward]) : [];
  if (!seen) throw refusals.rewardNotFound();
  return seen;
}

/**
 * `reason` says what keeps the client from a reward, points included; `is_locked` is true when it is
 * something other than points. What has ended is left out.
 */
async function seenBy(
  deps: Deps,
  {
    workspace_id,
    client_id,
    purchasable_only,
  }: Pick<api.ListClientRewardsRequest, 'workspace_id' | 'client_id' | 'purchasable_only'>,
  rewards: readonly Reward[],
): Promise<api.ClientReward[]> {
  const [clientActive, usages, purses] = await Promise.all([
    isActive(deps, workspace_id, client_id),
    deps.usages.countsOf(workspace_id, client_id),
    pursesOf(deps, workspace_id, client_id),
  ]);
  const hasTierLock = rewards.some(({ visibility_tiers }) => visibility_tiers.length > 0);
  const tierId = hasTierLock ? await deps.tiers.tierOf(workspace_id, client_id) : null;
  const named = [...new Set(rewards.flatMap(({ visibility_segments }) => visibility_segments))];
  const segmentIds = new Set(
    await segmentsOf(deps, workspace_id, { segmentIds: named, clientId: client_id }),
  );
  const now = deps.clock.now();
  const lookAt = async (reward: Reward): Promise<api.ClientReward | []> => {
    const facts: Facts = {
      reward,
      now,
      payment: 'points',
      purchasableOnly: purchasable_only,
      clientActive,
      tierId,
      inSegment: reward.visibility_segments.some((id) => segmentIds.has(id)),
      usedByClient: usages.get(reward.id) ?? 0,
      purse: reward.wallet_type_id ? (purses.get(reward.wallet_type_id) ?? null) : null,
      outOfCoupons: await isOutOfCoupons(deps, reward),
    };
    const lock = lockOn(facts);
    if (lock === 'ended') return [];
    const isAffordable = canAfford(facts);
    return {
      reward: toRewardReply(reward),
      can_afford: isAffordable,
      is_locked: lock !== null,
      reason: lock ?? (isAffordable ? null : 'insufficient_points'),
    };
  };
  return (await Promise.all(rewards.map(lookAt))).flat();
}
