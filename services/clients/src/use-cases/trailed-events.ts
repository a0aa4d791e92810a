import type { EventOf } from '@laurel/events';

/** The events of other services that are part of a client's story. */
export const STORIED_EVENTS = [
  'loyalty.points_earned',
  'loyalty.points_spent',
  'loyalty.points_adjusted',
  'loyalty.points_expired',
  'loyalty.points_transferred',
  'loyalty.points_cancelled',
  'loyalty.points_refunded',
  'tiers.tier_promoted',
  'tiers.tier_demoted',
  'rewards.reward_redeemed',
  'rewards.reward_used',
  'rewards.reward_cancelled',
  'referrals.referral_created',
  'referrals.referral_completed',
  'referrals.referral_expired',
  'referrals.referral_cancelled',
] as const;

/** The events of other services that a profile follows though they are no client's story. */
export const FOLLOWED_EVENTS = [
  'loyalty.points_matured',
  'loyalty.points_locked',
  'loyalty.points_unlocked',
] as const;

export type StoriedEvent = EventOf<(typeof STORIED_EVENTS)[number]>;
export type TrailedEvent = StoriedEvent | EventOf<(typeof FOLLOWED_EVENTS)[number]>;
