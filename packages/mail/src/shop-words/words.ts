import type { ShopMailKind } from '@laurel/contract';

/** The words of a mail that a shop may change; in them `{{placeholders}}`, and nothing that a mail program draws. */
export interface MailText {
  subject: string;
  /** Paragraphs have an empty line between them. */
  text: string;
  /** On the button that the mail is for; null where a mail has none that a shop names. */
  button: string | null;
}

export interface ShopWords {
  texts: Readonly<Record<ShopMailKind, MailText>>;
  /** Why somebody gets such a mail: below it, whatever the shop writes. */
  why: Readonly<Record<ShopMailKind, string>>;
  greeting: string;
  greetingOfNobody: string;
  acceptBy: string;
  codeNotAsked: string;
  apple: string;
  google: string;
  portal: string;
  ignore: string;
  /** Quotes what somebody agrees to, `{{text}}`. */
  consent: string;
  confirmUntil: string;
  passBefore: string;
  /** The text of the mail with a pass where no wallet takes it. */
  passWithoutWallet: string;
  /** How the pass is used then. */
  noWallet: string;
  privacy: string;
  imprint: string;
}
