/** Statuses of a redemption (part 1, Redemption). */
export const REDEMPTION_STATUSES = ['pending', 'fulfilled', 'cancelled', 'expired'] as const;
export type RedemptionStatus = (typeof REDEMPTION_STATUSES)[number];

/** By what way a client came to a reward. */
export const REDEMPTION_SOURCES = [
  'admin',
  'self_serve',
  'earning_rule',
  'mobile',
  'campaign',
] as const;
export type RedemptionSource = (typeof REDEMPTION_SOURCES)[number];

/**
 * Whether what was redeemed has been handed over. A till hands over what it redeems, and marks nothing; a coupon is taken by
 * its code, by whatever way it was redeemed.
 */
export const isHandedOver = ({
  status,
  source,
  used_at,
  coupon_code,
}: {
  status: string;
  source: string;
  used_at?: string | null | undefined;
  coupon_code?: string | null | undefined;
}): boolean =>
  status === 'fulfilled' && (Boolean(used_at) || (source === 'mobile' && !coupon_code));

/** Statuses of a coupon. */
export const COUPON_STATUSES = ['available', 'issued', 'used', 'void'] as const;
export type CouponStatus = (typeof COUPON_STATUSES)[number];

/** Why a code is not to be honoured. */
export const COUPON_FAULTS = ['unknown', 'used', 'cancelled'] as const;
export type CouponFault = (typeof COUPON_FAULTS)[number];
