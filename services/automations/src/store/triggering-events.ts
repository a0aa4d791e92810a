import type { Concrete, EventOf } from '@laurel/events';

/** The events that may fire rules. */
export const TRIGGERING_EVENTS = [
  'transaction.purchase',
  'transaction.refund',
  'custom.*',
  'engagement.check_in',
  'engagement.check_out',
  'engagement.visit',
  'engagement.scan',
  'pass_lifecycle.pass_installed',
  'pass_lifecycle.pass_uninstalled',
  'pass_lifecycle.pass_registered',
  'pass_lifecycle.template_changed',
  'posted_loyalty.*',
  'clients.field_change',
  'loyalty.points_earned',
  'loyalty.points_spent',
  'loyalty.points_expired',
  'loyalty.points_adjusted',
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

export type TriggeringEvent = EventOf<Concrete<(typeof TRIGGERING_EVENTS)[number]>>;
