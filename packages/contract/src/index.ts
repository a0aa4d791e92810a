/**
 * The words of the contract that more than one part of the platform must know: what the gateway admits, what a service
 * keeps and what the document says are read from here. No I/O, no behaviour.
 */
export {
  BACKTEST_STATUSES,
  type BacktestStatus,
  CHANGE_DIRECTIONS,
  type ChangeDirection,
  EXECUTION_STATUSES,
  type ExecutionStatus,
  LIMIT_INTERVALS,
  type LimitInterval,
  RULE_MEMBERS,
  RULE_OPERATORS,
  type RuleMember,
  type RuleOperator,
  SKIP_REASONS,
  type SkipReason,
  TRIGGER_ROLES,
  TRIGGER_TYPES,
  type TriggerRole,
  type TriggerType,
  UNFORETOLD_REASONS,
  type UnforetoldReason,
} from './automations';
export {
  CAMPAIGN_ACTION_STATUSES,
  CAMPAIGN_ACTION_TYPES,
  CAMPAIGN_MEMBER_STATUSES,
  CAMPAIGN_SHORTFALLS,
  CAMPAIGN_STATUSES,
  type CampaignActionStatus,
  type CampaignActionType,
  type CampaignMemberStatus,
  type CampaignShortfall,
  type CampaignStatus,
} from './campaigns';
export {
  CLIENT_COLUMNS,
  CLIENT_ENDINGS,
  CLIENT_EXPANSIONS,
  CLIENT_STATUSES,
  type ClientColumn,
  type ClientEnding,
  type ClientExpansion,
  type ClientStatus,
  FIELD_TYPES,
  type FieldType,
  IMPORT_OUTCOMES,
  type ImportOutcome,
  isImpersonalChange,
} from './clients';
export { copyNameOf, cutTo } from './copy-name';
export { csvLine } from './csv';
export { bareFieldName, customFieldOf, customFieldPath } from './custom-fields';
export {
  EVENT_AHEAD_DAYS_MAX,
  EVENT_CATEGORIES,
  type EventCategory,
  JSON_CHARACTERS_MAX,
  POSTED_EVENT_TYPES,
  RECORDED_EVENT_TYPES,
  REFERRAL_EVENT_TYPES,
  REFUND_LINKS,
  type RefundLinkState,
} from './events';
export {
  MOBILE_USER_STATUSES,
  type MobileUserStatus,
  SANDBOX_CLOCK_STATUSES,
  type SandboxClockStatus,
  TOKEN_SCOPES,
  type TokenScope,
} from './identity';
export {
  IMPORT_STATUSES,
  type ImportStatus,
  INBOX_MESSAGE_STATUSES,
  INBOX_OUTCOMES,
  type InboxMessageStatus,
  type InboxOutcome,
  OUTBOUND_JOB_STATUSES,
  type OutboundJobStatus,
} from './integrations';
export { KEY_PATTERN, UUID_PATTERN } from './keys';
export { LANGUAGES, type Language, languageOf } from './languages';
export {
  LEDGER_ENTRY_STATUSES,
  LEDGER_ENTRY_TYPES,
  type LedgerEntryStatus,
  type LedgerEntryType,
} from './ledger';
export type { Brand, Letter, LetterPart } from './letter';
export { luminanceOf } from './luminance';
export { MAIL_WORDS, type MailWord, SHOP_MAIL_KINDS, type ShopMailKind } from './mails';
export {
  APP_ACTION_TYPES,
  APP_FIELD_TYPES,
  type AppActionType,
  type AppFieldType,
  BARCODE_TYPES,
  type BarcodeType,
  DISTRIBUTION_MODES,
  DISTRIBUTION_STATUSES,
  type DistributionMode,
  type DistributionStatus,
  PASS_STATUSES,
  PASS_TYPES,
  type PassStatus,
  type PassType,
  PICTURE_FAULTS,
  PICTURE_USES,
  type PictureFault,
  type PictureUse,
  PUSH_STATUSES,
  type PushStatus,
  TEMPLATE_COLOURS,
  TEMPLATE_FIELD_LISTS,
  TEMPLATE_IMAGES,
  type TemplateColour,
  type TemplateFieldList,
  type TemplateImage,
} from './passes';
export { REFERRAL_STATUSES, type ReferralStatus } from './referrals';
export { PERIODS, type Period, POINT_FLOWS, type PointFlow } from './reports';
export {
  COUPON_FAULTS,
  COUPON_STATUSES,
  type CouponFault,
  type CouponStatus,
  isHandedOver,
  REDEMPTION_SOURCES,
  REDEMPTION_STATUSES,
  type RedemptionSource,
  type RedemptionStatus,
} from './rewards';
export { SEARCH_TYPES } from './search';
export {
  BALANCES,
  type BalanceName,
  CLIENT_METRICS,
  type ClientMetric,
  OPERATORS,
  type Operator,
} from './segments';
export {
  RESYNC_STATUSES,
  type ResyncStatus,
  TIER_DECIDING,
  TIER_METRICS,
  TIER_REASONS,
  type TierDeciding,
  type TierMetric,
  type TierReason,
} from './tiers';
export {
  DELIVERY_REASONS,
  DELIVERY_STATUSES,
  type DeliveryReason,
  type DeliveryStatus,
} from './webhooks';
