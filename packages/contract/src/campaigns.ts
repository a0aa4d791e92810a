/** Statuses of a campaign (part 2, Campaign). */
export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'active',
  'completed',
  'cancelled',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** What a campaign can do for each of its members (part 2, Campaign action). */
export const CAMPAIGN_ACTION_TYPES = [
  'push_notification',
  'template_switch',
  'custom_field_update',
  'give_reward',
  'assign_tier',
] as const;
export type CampaignActionType = (typeof CAMPAIGN_ACTION_TYPES)[number];

export const CAMPAIGN_ACTION_STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type CampaignActionStatus = (typeof CAMPAIGN_ACTION_STATUSES)[number];

/** How far a campaign is with one member. */
export const CAMPAIGN_MEMBER_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
  'unreachable',
] as const;
export type CampaignMemberStatus = (typeof CAMPAIGN_MEMBER_STATUSES)[number];

/** Why an action of a campaign, or one of its rewards, does not come to some of the audience. */
export const CAMPAIGN_SHORTFALLS = [
  'no_pass',
  'no_consent',
  'loyalty_disabled',
  'unknown_tier',
  'unknown_reward',
  'inactive',
  'not_started',
  'ended',
  'tier_locked',
  'segment_locked',
  'usage_limit_reached',
  'out_of_coupons',
] as const;
export type CampaignShortfall = (typeof CAMPAIGN_SHORTFALLS)[number];
