import { createEvent } from '@laurel/events';
import { commitOnce, repeatable, requireUnchanged } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

type Empty = Record<string, never>;

/**
 * Deletes a reward that was never redeemed and that nothing in use gives, with its coupons. The count of reservations, read first and
 * found again by the delete, shows that it was not redeemed in between.
 */
export async function deleteReward(
  deps: Pick<
    Deps,
    | 'connection'
    | 'rewards'
    | 'redemptions'
    | 'references'
    | 'attempts'
    | 'coupons'
    | 'usages'
    | 'outbox'
  >,
  { workspace_id: workspaceId, id }: Pick<api.Reward, 'workspace_id' | 'id'>,
): Promise<Empty> {
  return repeatable(deps.connection, async () => {
    const reservations = await deps.rewards.reservationsOf(workspaceId, id);
    if (reservations === null) throw refusals.rewardNotFound();
    // In this order: an attempt that ended between both is a redemption.
    const isRedeemed =
      (await deps.attempts.isAnyOf(workspaceId, id)) ||
      (await deps.redemptions.isRedeemed(workspaceId, id));
    const requireUnnamed = () => deps.references.requireUnreferenced(workspaceId, 'reward', [id]);
    if (isRedeemed) {
      await requireUnnamed();
      throw refusals.rewardRedeemed();
    }
    return commitOnce(deps.connection, async (session) => {
      const reward = await deps.rewards.find(workspaceId, id, session);
      if (!reward) throw refusals.rewardNotFound();
      requireUnchanged({ ...reward, changedAt: reward.date_updated });
      if (!(await deps.rewards.removeUnreserved(reward, reservations, session)))
        throw refusals.rewardRedeemed();
      await deps.coupons.removeReward(workspaceId, id, session);
      await deps.usages.removeReward(workspaceId, id, session);
      const data = { reward_id: id, change: 'deleted' as const };
      const deleted = createEvent('rewards.reward_changed', { workspaceId, subject: id, data });
      await deps.outbox.append([deleted], session);
      await requireUnnamed();
      return {};
    });
  });
}
