import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/**
 * Erases what may name a person. The redemptions stay, for the books; of a deleted client's coupons
 * nobody is left to present them, so that they are void.
 */
export async function forgetClient(
  { redemptions, coupons }: Pick<Deps, 'redemptions' | 'coupons'>,
  workspaceId: string,
  { clientId, isDeleted }: { clientId: string; isDeleted: boolean },
  session: Session,
): Promise<void> {
  await redemptions.scrubClient(workspaceId, clientId, session);
  if (!isDeleted) return;
  const held = await redemptions.allOf(workspaceId, clientId);
  const withCoupon = held.filter(({ coupon_id }) => coupon_id !== null);
  await coupons.voidIssued(
    workspaceId,
    withCoupon.map(({ id }) => id),
    session,
  );
}
