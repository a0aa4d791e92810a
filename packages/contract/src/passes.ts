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

/** What kind of card a template is to Google. */
export const PASS_TYPES = ['LOYALTY', 'GIFT_CARD', 'EVENT_TICKET', 'OFFER', 'GENERIC'] as const;
export type PassType = (typeof PASS_TYPES)[number];

/** How the barcode of a card is drawn. */
export const BARCODE_TYPES = ['none', 'qr', 'aztec', 'code128', 'pdf417'] as const;
export type BarcodeType = (typeof BARCODE_TYPES)[number];

/** The lists of lines that a card shows. */
export const TEMPLATE_FIELD_LISTS = ['front_fields', 'secondary_fields', 'back_fields'] as const;
export type TemplateFieldList = (typeof TEMPLATE_FIELD_LISTS)[number];

/** The colours of a card. */
export const TEMPLATE_COLOURS = ['background_color', 'label_color', 'value_color'] as const;
export type TemplateColour = (typeof TEMPLATE_COLOURS)[number];

/** The images of a card. */
export const TEMPLATE_IMAGES = ['icon', 'logo', 'cover_image'] as const;
export type TemplateImage = (typeof TEMPLATE_IMAGES)[number];

/** What a picture is uploaded for. */
export const PICTURE_USES = ['icon', 'logo', 'strip', 'reward'] as const;
export type PictureUse = (typeof PICTURE_USES)[number];

/** Why a picture will not look well where it is meant for. */
export const PICTURE_FAULTS = ['too_small', 'wrong_ratio', 'no_transparency'] as const;
export type PictureFault = (typeof PICTURE_FAULTS)[number];

/** By what way a distribution gives passes out. */
export const DISTRIBUTION_MODES = ['embed', 'page', 'email'] as const;
export type DistributionMode = (typeof DISTRIBUTION_MODES)[number];

/** What a field of a form in the staff app holds. */
export const APP_FIELD_TYPES = [
  'text',
  'number',
  'email',
  'phone',
  'date',
  'select',
  'checkbox',
  'textarea',
] as const;
export type AppFieldType = (typeof APP_FIELD_TYPES)[number];
