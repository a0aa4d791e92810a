import type { rewards as api } from '@laurel/rpc';

/** A reply whose absent coupon is null, as the API shows it. */
export function withCoupon<R extends { coupon?: api.Coupon }>(
  reply: R,
): R & { coupon: api.Coupon | null } {
  return { ...reply, coupon: reply.coupon ?? null };
}
