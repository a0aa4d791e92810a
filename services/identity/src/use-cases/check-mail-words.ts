import { type Language, languageOf, type ShopMailKind } from '@laurel/contract';
import { invalidField } from '@laurel/errors';
import { complaintAboutMailText, defaultMailText, isShopMail, type MailText } from '@laurel/mail';
import type { identity } from '@laurel/rpc';
import { refusals } from '../refusals';

/** The mail that a call names; RECORD_NOT_FOUND for one that no shop sends. */
export function mailNamed({ kind, language }: identity.MailName): {
  kind: ShopMailKind;
  language: Language;
} {
  if (!isShopMail(kind)) throw refusals.mailNotFound();
  return { kind, language: languageOf(language) };
}

/** The words that somebody wants in a mail; a button that is not named keeps the platform's words. */
export function requireMailWords(
  { kind, language }: { kind: ShopMailKind; language: Language },
  { subject, text, button }: identity.MailWords,
): MailText {
  const words = { subject, text, button: button ?? defaultMailText(kind, language).button };
  const wrong = complaintAboutMailText(kind, words);
  if (wrong) throw invalidField(wrong.field, wrong.complaint);
  return words;
}
