/** Statuses of a delivery (part 3, section 14). */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why a delivery is not with its receiver. The first three hold back all that waits for a webhook until it is switched on
 * or its pause is over; `retry_scheduled` is this one's own. What failed has one of the last four.
 */
export const DELIVERY_REASONS = [
  'webhook_inactive',
  'webhook_failing',
  'webhook_paused',
  'retry_scheduled',
  'webhook_gone',
  'retries_exhausted',
  'event_expired',
  'sandbox',
] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];
