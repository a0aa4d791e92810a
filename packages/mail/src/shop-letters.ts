import type { Brand, Language, Letter, LetterPart, ShopMailKind } from '@laurel/contract';
import { fillMailText, namesIn, paragraphsOf, placeholdersOf } from './mail-text';
import { shopWords } from './shop-words';
import type { MailText } from './shop-words/words';

/** In whose name a mail is written, in which language, and with which words of its own. */
export interface ShopWriter {
  language: Language;
  brand: Brand;
  /** null where the platform's words are used. */
  own: MailText | null;
}

type Values = Readonly<Record<string, string>>;

export function invitationLetter(
  writer: ShopWriter,
  { inviterName, url }: { inviterName: string; url: string },
): Letter {
  const { letter, paragraphs, button } = begin(writer, 'invitation', { inviter: inviterName });
  const words = shopWords[writer.language].acceptBy;
  return { ...letter, parts: [...paragraphs, { words, url, button, isMain: true }] };
}

/** The code by which staff sign in to the app of a shop. */
export function pairingCodeLetter(writer: ShopWriter, code: string): Letter {
  const { letter, paragraphs } = begin(writer, 'pairing_code', { code });
  return { ...letter, parts: paragraphs };
}

/** The same as a text message, always in the platform's words. */
export const pairingCodeText = ({ language, brand }: ShopWriter, code: string): string =>
  fillMailText(shopWords[language].texts.pairing_code.text, { shop: brand.name, code });

/** The code by which a customer signs in to the portal, in the languages that it speaks (part 3, section 9). */
export function portalCodeLetter(writer: ShopWriter, code: string): Letter {
  const { letter, paragraphs } = begin(writer, 'portal_code', { code });
  return {
    ...letter,
    parts: [...paragraphs, { text: shopWords[writer.language].codeNotAsked }],
  };
}

export interface PassNews {
  /** Of whom the pass is, as far as known. */
  name: string | null;
  /** null where there is no pass yet; a wallet that would not take it has no link. */
  links: { apple_pass_url: string | null; google_pass_url: string | null } | null;
  /** The way into the portal, signed in; null or absent where there is none. */
  portalUrl?: string | null;
}

/** The mail that brings a pass; nothing in it but the links says anything of the person. */
export function passLetter(writer: ShopWriter, news: PassNews): Letter {
  const { language } = writer;
  const { texts, passWithoutWallet, noWallet, ignore } = shopWords[language];
  const isKept = hasWallet(news);
  const own = writer.own ?? (isKept ? null : { ...texts.pass, text: passWithoutWallet });
  const about = greeted(language, news.name);
  const { letter, paragraphs } = begin({ ...writer, own }, 'pass', about);
  // What a shop wrote may count on a wallet, so that it is said there too that none takes the pass.
  const without = isKept ? [] : [{ text: noWallet }];
  const parts = [...paragraphs, ...without, ...linkParts(language, news), { text: ignore }];
  return { ...letter, parts };
}

export interface ConfirmationRequest extends PassNews {
  confirmUrl: string;
  /** The words of the consent that was given; null where none was. */
  consentText: string | null;
}

/** Asks somebody who is known whether it was them who filled in a form; with their pass where they have one. */
export function confirmationLetter(
  writer: ShopWriter,
  { confirmUrl, consentText, ...news }: ConfirmationRequest,
): Letter {
  const { language } = writer;
  const words = shopWords[language];
  const { letter, paragraphs, button } = begin(
    writer,
    'confirmation',
    greeted(language, news.name),
  );
  return {
    ...letter,
    parts: [
      ...paragraphs,
      { words: button, url: confirmUrl, isMain: true },
      ...(consentText === null
        ? []
        : [{ text: fillMailText(words.consent, { text: consentText }) }]),
      { text: words.confirmUntil },
      ...(hasWallet(news) ? [{ text: words.passBefore }] : []),
      ...linkParts(language, news),
      { text: words.ignore },
    ],
  };
}

/** The same as a text message, for somebody of whom only a number is known; always in the platform's words. */
export function confirmationText(
  { language, brand }: ShopWriter,
  { confirmUrl }: Pick<ConfirmationRequest, 'confirmUrl'>,
): string {
  const { subject, button } = shopWords[language].texts.confirmation;
  return [fillMailText(subject, { shop: brand.name }), `${button}: ${confirmUrl}`].join('\n');
}

/**
 * A mail of a kind as it would be sent, but to no one: with samples, and links that lead nowhere.
 *
 * @param publicUrl of the platform, without a slash at the end
 */
export function sampleLetter(writer: ShopWriter, kind: ShopMailKind, publicUrl: string): Letter {
  const sampleOf = (name: string) =>
    placeholdersOf(kind).find((each) => each.name === name)?.sample ?? '';
  const links = {
    apple_pass_url: `${publicUrl}/p/…/apple`,
    google_pass_url: `${publicUrl}/p/…/google`,
  };
  const news = { name: sampleOf('first_name'), links, portalUrl: null };
  const url = `${publicUrl}/invitation?token=…`;
  const confirmUrl = `${publicUrl}/confirm?token=…`;
  const letters: Record<ShopMailKind, () => Letter> = {
    invitation: () => invitationLetter(writer, { inviterName: sampleOf('inviter'), url }),
    pairing_code: () => pairingCodeLetter(writer, sampleOf('code')),
    portal_code: () => portalCodeLetter(writer, sampleOf('code')),
    pass: () => passLetter(writer, news),
    confirmation: () => confirmationLetter(writer, { ...news, confirmUrl, consentText: null }),
  };
  return letters[kind]();
}

const NAME_MAX = 40;
/** What a mail program may make a link of, or what begins a new line: no name of anybody. */
const NO_NAME = /[\p{Cc}\p{Zl}\p{Zp}]|:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}]{2,}|[@/\\<>]/iu;

/**
 * A name as it may stand in a greeting: anybody may have typed it into a form, for an address of anybody, so that it is
 * one short line and never an address to go to.
 */
export function greetingName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '' || NO_NAME.test(trimmed)) return null;
  const letters = [...trimmed];
  return letters.length > NAME_MAX ? `${letters.slice(0, NAME_MAX).join('').trimEnd()}…` : trimmed;
}

function greeted(language: Language, name: string | null): Values {
  const { greeting, greetingOfNobody } = shopWords[language];
  const first_name = greetingName(name) ?? '';
  return {
    first_name,
    greeting: first_name === '' ? greetingOfNobody : fillMailText(greeting, { first_name }),
  };
}

/** What all mails of shops have: the words, filled, and why they came. */
function begin({ language, brand, own }: ShopWriter, kind: ShopMailKind, about: Values) {
  const words = shopWords[language];
  const fallback = words.texts[kind];
  const values = { ...about, shop: brand.name };
  const { subject, text } = own ?? fallback;
  const { code } = about;
  const paragraphs: LetterPart[] = paragraphsOf(text).map((paragraph) => ({
    text: fillMailText(paragraph, values),
    ...(code !== undefined && namesIn(paragraph).includes('code') ? { code } : {}),
  }));
  return {
    letter: {
      language,
      brand,
      subject: fillMailText(subject, values),
      why: fillMailText(words.why[kind], values),
    },
    paragraphs,
    button: fillMailText(own?.button ?? fallback.button ?? '', values),
  };
}

/** Whether a wallet would take the pass. */
const hasWallet = ({ links }: PassNews): boolean =>
  Boolean(links?.apple_pass_url || links?.google_pass_url);

function linkParts(language: Language, news: PassNews): LetterPart[] {
  const words = shopWords[language];
  const { links, portalUrl } = news;
  const place = (label: string, url: string | null | undefined, isMain = false): LetterPart[] =>
    url ? [{ words: label, url, isMain }] : [];
  return [
    ...place(words.apple, links?.apple_pass_url, true),
    ...place(words.google, links?.google_pass_url, true),
    ...place(words.portal, links && portalUrl, !hasWallet(news)),
  ];
}
