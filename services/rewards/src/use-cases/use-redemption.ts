import { currentContext } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { redemptionEvent } from './redemption-events';
import { toCouponReply, toRedemptionReply } from './wire';

/**
 * Marks a redemption and its coupon used, or takes that back. What already is so stays as it is, and the answer says so:
 * of two tills that take one coupon at once, one hands nothing over.
 */
export function useRedemption(
  deps: Pick<Deps, 'connection' | 'redemptions' | 'coupons' | 'rewards' | 'outbox' | 'clock'>,
  { workspace_id: workspaceId, id, used }: api.UseRedemptionRequest,
): Promise<api.RedemptionWithCoupon> {
  return commitOnce(deps.connection, async (session) => {
    const current = await deps.redemptions.find(workspaceId, id, session);
    if (!current) throw refusals.redemptionNotFound();
    if (current.status === 'cancelled') throw refusals.cancelled();
    const { coupon_id: couponId } = current;
    const operation = currentContext().operationId;
    const wasUsed =
      current.used_at !== null &&
      !(await deps.redemptions.isUsedBy(workspaceId, { id, operation }, session));
    const isChange = used !== (current.used_at !== null);
    const redemption = isChange ? { ...current, used_at: used ? deps.clock.now() : null } : current;
    if (isChange) {
      const { used_at: usedAt } = redemption;
      if (!(await deps.redemptions.markUsed(workspaceId, { id, usedAt, operation }, session)))
        throw refusals.cancelled();
      if (couponId) await deps.coupons.markUsed(workspaceId, { id: couponId, usedAt }, session);
    }
    const coupon = couponId ? await deps.coupons.find(workspaceId, couponId, session) : null;
    const name = (await deps.rewards.find(workspaceId, current.reward_id, session))?.name ?? '';
    if (isChange && used) {
      const told = { redemption, rewardName: name, couponCode: coupon?.code ?? null };
      await deps.outbox.append([redemptionEvent('rewards.reward_used', told)], session);
    }
    return {
      redemption: toRedemptionReply(redemption, coupon, name),
      ...(coupon ? { coupon: toCouponReply(coupon) } : {}),
      was_used: wasUsed,
    };
  });
}
