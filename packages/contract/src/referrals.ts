/** Statuses of a referral (part 2, Referral). */
export const REFERRAL_STATUSES = ['pending', 'completed', 'expired', 'cancelled'] as const;
export type ReferralStatus = (typeof REFERRAL_STATUSES)[number];
