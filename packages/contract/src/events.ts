/** What the trail of a workspace holds (part 2, Events), in the order in which lists and refusals name it. */
export const EVENT_CATEGORIES = [
  'field_change',
  'transaction',
  'engagement',
  'loyalty',
  'pass_lifecycle',
  'custom',
  'referral',
] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

/** The types of each category that may be posted; custom events are named by their senders. */
export const POSTED_EVENT_TYPES = {
  field_change: ['field_updated', 'field_increment', 'field_decrement'],
  transaction: ['purchase', 'refund'],
  engagement: ['check_in', 'check_out', 'visit', 'scan'],
  loyalty: [
    'tier_promoted',
    'tier_demoted',
    'reward_redeemed',
    'reward_cancelled',
    'reward_used',
    'points_earned',
    'points_spent',
    'points_expired',
    'points_adjusted',
  ],
  pass_lifecycle: ['pass_installed', 'pass_uninstalled', 'pass_registered', 'template_changed'],
} as const satisfies Partial<Record<EventCategory, readonly string[]>>;

/** The types that only the platform itself records. */
export const REFERRAL_EVENT_TYPES = [
  'referral_created',
  'referral_completed',
  'referral_expired',
  'referral_cancelled',
] as const;

/** Every type that the trail knows in each category, those that only other services record among them. */
export const RECORDED_EVENT_TYPES: Readonly<Partial<Record<EventCategory, readonly string[]>>> = {
  ...POSTED_EVENT_TYPES,
  loyalty: [
    ...POSTED_EVENT_TYPES.loyalty,
    'points_transferred',
    'points_cancelled',
    'points_refunded',
  ],
  referral: REFERRAL_EVENT_TYPES,
};

/** Clocks and plans differ, but what is dated further ahead would head every list until then. */
export const EVENT_AHEAD_DAYS_MAX = 31;

/** What became of a refund's way to its sale. */
export const REFUND_LINKS = ['linked', 'not_found', 'exceeds'] as const;
export type RefundLinkState = (typeof REFUND_LINKS)[number];

/** What a JSON object of a row may be: some lines, no documents, so that a page of a thousand rows is still an answer. */
export const JSON_CHARACTERS_MAX = 20_000;
