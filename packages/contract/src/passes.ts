/** Statuses of a pass (part 2, Pass). */
export const PASS_STATUSES = ['active', 'voided'] as const;
export type PassStatus = (typeof PASS_STATUSES)[number];

/** Statuses of a message pushed to the devices of a pass. */
export const PUSH_STATUSES = ['pending', 'sent', 'failed'] as const;
export type PushStatus = (typeof PUSH_STATUSES)[number];

/** Statuses of a distribution (part 2, Distribution). */
export const DISTRIBUTION_STATUSES = ['active', 'paused', 'archived'] as const;
export type DistributionStatus = (typeof DISTRIBUTION_STATUSES)[number];

/** What staff can do on a pass that they scanned (part 2, Mobile app action). */
export const APP_ACTION_TYPES = [
  'add_transaction',
  'add_points',
  'remove_points',
  'redeem_reward',
  'grant_reward',
  'update_client_data',
  'change_tier',
] as const;
export type AppActionType = (typeof APP_ACTION_TYPES)[number];
