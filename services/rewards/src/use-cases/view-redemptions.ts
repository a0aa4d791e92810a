import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Redemption } from '../domain/redemption';
import { toRedemptionReply } from './wire';

/** Redemptions as the API shows them, joined with their coupons and the names of their rewards. */
export async function viewRedemptions(
  { coupons, rewards }: Pick<Deps, 'coupons' | 'rewards'>,
  workspaceId: string,
  redemptions: readonly Redemption[],
): Promise<api.Redemption[]> {
  if (redemptions.length === 0) return [];
  const couponIds = redemptions.flatMap(({ coupon_id }) => coupon_id ?? []);
  const [couponById, nameById] = await Promise.all([
    coupons.findMany(workspaceId, couponIds),
    rewards.namesOf(
      workspaceId,
      redemptions.map(({ reward_id }) => reward_id),
    ),
  ]);
  return redemptions.map((redemption) => {
    const coupon = redemption.coupon_id ? (couponById.get(redemption.coupon_id) ?? null) : null;
    // A coupon that was given back may have another holder by now, whose code it is then.
    const isForeign = coupon?.redemption_id != null && coupon.redemption_id !== redemption.id;
    const shown = isForeign ? null : coupon;
    return toRedemptionReply(redemption, shown, nameById.get(redemption.reward_id) ?? '');
  });
}
