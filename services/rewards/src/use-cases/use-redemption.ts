import { currentContext } from '@laurel/lifecycle';
import { commitOnce, type Session } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Redemption } from '../domain/redemption';
import { refusals } from '../refusals';
import { redemptionEvent, useTakenBack } from './redemption-events';
import { toCouponReply, toRedemptionReply } from './wire';

type UseDeps = Pick<
  Deps,
  'connection' | 'redemptions' | 'coupons' | 'rewards' | 'departures' | 'outbox' | 'clock'
>;

/**
 * Marks a redemption and its coupon used, or takes that back. What already is so stays as it is, and the answer says so:
 * of two tills that take one coupon at once, one hands nothing over. The coupon of a deleted client is not good any more.
 */
export function useRedemption(
  deps: UseDeps,
  { workspace_id: workspaceId, id, used }: api.UseRedemptionRequest,
): Promise<api.RedemptionWithCoupon> {
  return commitOnce(deps.connection, async (session) => {
    const current = await deps.redemptions.find(workspaceId, id, session);
    if (!current) throw refusals.redemptionNotFound();
    if (current.status === 'cancelled') throw refusals.redemptionCancelled();
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
        throw refusals.redemptionCancelled();
      if (couponId) await markCoupon(deps, redemption, session);
    }
    const coupon = couponId ? await deps.coupons.find(workspaceId, couponId, session) : null;
    const name = (await deps.rewards.find(workspaceId, current.reward_id, session))?.name ?? '';
    if (isChange) {
      const told = { redemption, rewardName: name, couponCode: coupon?.code ?? null };
      const event = used ? redemptionEvent('rewards.reward_used', told) : useTakenBack(redemption);
      await deps.outbox.append([event], session);
    }
    return {
      redemption: toRedemptionReply(redemption, coupon, name),
      ...(coupon ? { coupon: toCouponReply(coupon) } : {}),
      was_used: wasUsed,
    };
  });
}

async function markCoupon(
  { coupons, departures }: UseDeps,
  { workspace_id, client_id, coupon_id, used_at: usedAt }: Redemption,
  session: Session,
): Promise<void> {
  const id = coupon_id!;
  const isVoid = (await coupons.find(workspace_id, id, session))?.status === 'void';
  if (isVoid)
    throw refusals.redemptionCancelled({ message: 'the coupon is void: its client was deleted' });
  const { ended } = await departures.currentOf(workspace_id, client_id);
  await coupons.markUsed(workspace_id, { id, usedAt, isOver: ended === 'deleted' }, session);
}
