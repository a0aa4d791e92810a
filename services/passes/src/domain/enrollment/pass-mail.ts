import type { Brand, Letter, LetterPart } from '@laurel/contract';
import { type Language, wordings } from './wordings';

const NAME_MAX = 40;
/** What a mail program may make a link of, or what begins a new line: no name of anybody. */
const NO_NAME = /[\p{Cc}\p{Zl}\p{Zp}]|:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}]{2,}|[@/\\<>]/iu;

/** Null for a wallet that is not offered. */
interface OfferedLinks {
  apple_pass_url: string | null;
  google_pass_url: string | null;
}

export interface PassNews {
  /** Of whom the pass is, as far as known. */
  name: string | null;
  /** Of the workspace; its name in one line. */
  brand: Brand;
  /** null where there is no pass yet; a wallet that would not take it has no link. */
  links: OfferedLinks | null;
  /** The way into the portal, signed in; null or absent where there is none. */
  portal_url?: string | null;
}

export interface ConfirmationRequest extends PassNews {
  confirm_url: string;
  /** The words of the consent that was given; null where none was. */
  consentText: string | null;
}

/**
 * A name as it may stand in a greeting: anybody may have typed it into a form, for an address of anybody, so that it is
 * one short line and never an address to go to.
 */
export function greetingName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '' || NO_NAME.test(trimmed)) return null;
  return trimmed.length > NAME_MAX ? `${trimmed.slice(0, NAME_MAX).trimEnd()}…` : trimmed;
}

/** The mail that brings a pass; nothing in it but the links says anything of the person. */
export function passMail(language: Language, news: PassNews): Letter {
  const { mail } = wordings[language];
  const { brand, name } = news;
  return {
    language,
    brand,
    subject: mail.subject(brand.name),
    parts: [
      { text: mail.greeting(greetingName(name)) },
      { text: mail.lead(brand.name) },
      ...linkParts(language, news),
      { text: mail.ignore },
    ],
  };
}

/** Asks somebody who is known whether it was them who filled in a form; with their pass where they have one. */
export function confirmationMail(
  language: Language,
  { confirm_url, consentText, ...news }: ConfirmationRequest,
): Letter {
  const { mail } = wordings[language];
  const { name, brand, links } = news;
  return {
    language,
    brand,
    subject: mail.confirmSubject(brand.name),
    parts: [
      { text: mail.greeting(greetingName(name)) },
      { text: mail.confirmLead(brand.name) },
      { words: mail.confirm, url: confirm_url, isMain: true },
      ...(consentText === null ? [] : [{ text: `${mail.consent}\n“${consentText}”` }]),
      { text: mail.confirmUntil },
      ...(links === null ? [] : [{ text: mail.passBefore }, ...linkParts(language, news)]),
      { text: mail.ignore },
    ],
  };
}

/** The same as a text message, for somebody of whom only a number is known. */
export function confirmationText(
  language: Language,
  { brand, confirm_url }: ConfirmationRequest,
): string {
  const { mail } = wordings[language];
  return [mail.confirmSubject(brand.name), `${mail.confirm}: ${confirm_url}`].join('\n');
}

function linkParts(language: Language, { links, portal_url }: PassNews): LetterPart[] {
  const { mail } = wordings[language];
  const place = (words: string, url: string | null | undefined, isMain = false): LetterPart[] =>
    url ? [{ words, url, isMain }] : [];
  return [
    ...place(mail.apple, links?.apple_pass_url, true),
    ...place(mail.google, links?.google_pass_url, true),
    ...place(mail.portal, links && portal_url),
  ];
}
