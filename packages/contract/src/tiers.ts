/** What a client is measured by. */
export const TIER_METRICS = ['total_earned', 'total_spending', 'transaction_count'] as const;
export type TierMetric = (typeof TIER_METRICS)[number];

/** Why a client's tier changed. */
export const TIER_REASONS = [
  'activity',
  'enrollment',
  'assigned',
  'unassigned',
  'expired',
  'periodic',
  'resync',
  'merged',
  'anonymized',
] as const;
export type TierReason = (typeof TIER_REASONS)[number];

/** How far a resync is. */
export const RESYNC_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ResyncStatus = (typeof RESYNC_STATUSES)[number];

/** What of a tier decides who is in it. */
export const TIER_DECIDING = ['sort_order', 'kind', 'condition_values'] as const;
export type TierDeciding = (typeof TIER_DECIDING)[number];
