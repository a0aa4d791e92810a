/**
 * The words of the contract that more than one part of the platform must know: what the gateway admits, what a service
 * keeps and what the document says are read from here. No I/O, no behaviour.
 */
export {
  RULE_OPERATORS,
  type RuleOperator,
  TRIGGER_TYPES,
  type TriggerType,
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
  CLIENT_STATUSES,
  type ClientColumn,
  type ClientStatus,
  FIELD_TYPES,
  type FieldType,
} from './clients';
export { copyNameOf } from './copy-name';
export { csvLine } from './csv';
export {
  EVENT_CATEGORIES,
  type EventCategory,
  POSTED_EVENT_TYPES,
  RECORDED_EVENT_TYPES,
  REFERRAL_EVENT_TYPES,
} from './events';
export { KEY_PATTERN } from './keys';
export { LANGUAGES, type Language, languageOf } from './languages';
export {
  LEDGER_ENTRY_STATUSES,
  LEDGER_ENTRY_TYPES,
  type LedgerEntryStatus,
  type LedgerEntryType,
} from './ledger';
export type { Brand, Letter, LetterPart } from './letter';
export { luminanceOf } from './luminance';
export { SHOP_MAIL_KINDS, type ShopMailKind } from './mails';
export {
  APP_ACTION_TYPES,
  type AppActionType,
  DISTRIBUTION_STATUSES,
  type DistributionStatus,
  PASS_STATUSES,
  type PassStatus,
  PUSH_STATUSES,
  type PushStatus,
} from './passes';
export { REFERRAL_STATUSES, type ReferralStatus } from './referrals';
export { CLIENT_METRICS, type ClientMetric, OPERATORS, type Operator } from './segments';
export {
  DELIVERY_REASONS,
  DELIVERY_STATUSES,
  type DeliveryReason,
  type DeliveryStatus,
} from './webhooks';
