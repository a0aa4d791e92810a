import type { rewards as api } from '@laurel/rpc';
import { type Answer, data, tagged } from '../../routing';

/**
 * A reward that was saved. One that points should buy and cannot, since no wallet pays for it (part 1, Reward), is a
 * mistake that stays unseen: `meta.warnings` says so.
 *
 * @param isForSale whether points should buy it, as far as the request says
 */
export function presentSaved({ etag, ...reward }: api.Reward, isForSale: boolean): Answer {
  if (reward.wallet_type_id !== null || !isForSale) return tagged(data(reward), etag);
  const message =
    'no wallet pays for the reward, so that purchasable is false and neither portal nor app shows it';
  return tagged(data(reward, { warnings: [{ field: 'wallet_type_id', message }] }), etag);
}

/** A reply whose absent coupon is null, as the API shows it. */
export function withCoupon<R extends { coupon?: api.Coupon }>(
  reply: R,
): R & { coupon: api.Coupon | null } {
  return { ...reply, coupon: reply.coupon ?? null };
}
