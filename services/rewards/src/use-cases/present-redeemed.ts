import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Redemption } from '../domain/redemption';
import { viewRedemptions } from './view-redemptions';
import { toCouponReply } from './wire';

/** What a redeeming caller is answered. */
export async function presentRedeemed(
  deps: Pick<Deps, 'coupons' | 'rewards'>,
  redemption: Redemption,
): Promise<api.Redeemed> {
  const { workspace_id: workspaceId, coupon_id: couponId } = redemption;
  const [coupon, [view]] = await Promise.all([
    couponId === null ? null : deps.coupons.find(workspaceId, couponId),
    viewRedemptions(deps, workspaceId, [redemption]),
  ]);
  return {
    redemption: view!,
    ...(coupon ? { coupon: toCouponReply(coupon) } : {}),
    points_ledger_id: redemption.points_ledger_id,
  };
}
