/** The mails that a shop sends in its own name, and whose words it may change. */
export const SHOP_MAIL_KINDS = [
  'invitation',
  'pairing_code',
  'portal_code',
  'pass',
  'confirmation',
] as const;
export type ShopMailKind = (typeof SHOP_MAIL_KINDS)[number];

/** What a shop may write itself in a mail. */
export const MAIL_WORDS = ['subject', 'text', 'button'] as const;
export type MailWord = (typeof MAIL_WORDS)[number];
