import type { CouponFault, CouponStatus, RedemptionStatus } from '@laurel/contract';

export interface Coupon {
  id: string;
  workspace_id: string;
  reward_id: string;
  code: string;
  status: CouponStatus;
  /** The live redemption that holds it; null while available. */
  redemption_id: string | null;
  /** The redemption that held it last and gave it back; tells a cancelled code from an unknown one. */
  released_by: string | null;
  imported: boolean;
  used_at: Date | null;
  date_created: Date;
}

export type CouponDoubt = CouponFault | null;

/** Why a code is not to be honoured, or null. A code that no client has been given is as good as unknown. */
export function doubtAbout(
  coupon: Coupon | null,
  redemption: { status: RedemptionStatus } | null,
): CouponDoubt {
  if (coupon === null) return 'unknown';
  if (coupon.status === 'used') return 'used';
  if (coupon.status === 'void' || redemption?.status === 'cancelled') return 'cancelled';
  return coupon.status === 'issued' ? null : 'unknown';
}
