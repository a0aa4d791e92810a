import { type Language, MAIL_WORDS, SHOP_MAIL_KINDS, type ShopMailKind } from '@laurel/contract';
import { shopWords } from './shop-words';
import type { MailText } from './shop-words/words';

interface MailPlaceholder {
  name: string;
  /** What a preview shows in its place. */
  sample: string;
  /** Without it the mail is no use. */
  isRequired?: boolean;
}

const SHOP: MailPlaceholder = { name: 'shop', sample: 'Corner Coffee' };
const CODE: MailPlaceholder = { name: 'code', sample: '314159', isRequired: true };
const PERSON: readonly MailPlaceholder[] = [
  { name: 'greeting', sample: 'Hello Ann,' },
  { name: 'first_name', sample: 'Ann' },
];

const PLACEHOLDERS: Readonly<Record<ShopMailKind, readonly MailPlaceholder[]>> = {
  invitation: [SHOP, { name: 'inviter', sample: 'Ann Weber' }],
  pairing_code: [SHOP, CODE],
  portal_code: [SHOP, CODE],
  pass: [SHOP, ...PERSON],
  confirmation: [SHOP, ...PERSON],
};

/** What the words of a mail may name. */
export const placeholdersOf = (kind: ShopMailKind): readonly MailPlaceholder[] =>
  PLACEHOLDERS[kind];

export const isShopMail = (kind: string): kind is ShopMailKind =>
  (SHOP_MAIL_KINDS as readonly string[]).includes(kind);

/** What the platform writes where a shop has no words of its own. */
export const defaultMailText = (kind: ShopMailKind, language: Language): MailText =>
  shopWords[language].texts[kind];

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
const LEFT_OPEN = /\{\{|\}\}|\$\{/;
/** What a mail program makes a link of: the buttons of a mail are the only way out of it. */
const PLACE =
  /:\/\/|\bwww\.|@|[\p{L}\p{N}]\.\p{L}{2,}|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/iu;
/** Shown as nothing, and left out of an address by who copies it. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** The full stop of Chinese and Japanese, where it stands as the dot of a domain. */
const WIDE_DOT = /(?<=[a-z\d])\u3002(?=[a-z])/gi;

/** Whether a mail program would make a link of something in the text, however its letters and dots are written. */
export const namesPlace = (text: string): boolean =>
  PLACE.test(text.normalize('NFKC').replace(INVISIBLE, '').replace(WIDE_DOT, '.'));

/** Turn text around, so that it reads as something else than it is. */
const TURNED = /\p{Bidi_Control}/u;

/**
 * What is wrong with the words that a shop wants in a mail, and in which of them; null where nothing is.
 *
 * @param kind of the mail
 */
export function complaintAboutMailText(
  kind: ShopMailKind,
  words: MailText,
): { field: keyof MailText; complaint: string } | null {
  const known = placeholdersOf(kind);
  const names = known.map(({ name }) => `{{${name}}}`).join(', ');
  for (const field of MAIL_WORDS) {
    const written = words[field] ?? '';
    const say = (complaint: string) => ({ field, complaint: `${field} ${complaint}` });
    for (const [whole, name] of written.matchAll(PLACEHOLDER))
      if (!known.some((each) => each.name === name))
        return say(`names ${whole}, which this mail does not know; it knows ${names}`);
    const bare = written.replace(PLACEHOLDER, '');
    if (LEFT_OPEN.test(bare))
      return say(`has a placeholder that is not whole; this mail knows ${names}`);
    if (TURNED.test(bare)) return say('must not have characters that turn its direction');
    if (namesPlace(bare))
      return say('must not name an address: the mail has its buttons, and reply_to for answers');
  }
  return complaintAboutParts(kind, words);
}

function complaintAboutParts(
  kind: ShopMailKind,
  { text, button }: MailText,
): { field: keyof MailText; complaint: string } | null {
  const missing = placeholdersOf(kind).find(
    ({ name, isRequired }) => isRequired && !namesIn(text).includes(name),
  );
  if (missing) return { field: 'text', complaint: `text must have {{${missing.name}}} in it` };
  const hasButton = shopWords.en.texts[kind].button !== null;
  if (!hasButton && button !== null)
    return { field: 'button', complaint: 'button is not a part of this mail' };
  if (hasButton && !button?.trim())
    return { field: 'button', complaint: 'button must say what the button of this mail does' };
  return null;
}

/** The placeholders that a text names. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);

/** A text with its placeholders filled, each once: what stands in a value stays as it is. */
export const fillMailText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACEHOLDER, (_whole, name: string) => values[name] ?? '');

/** The paragraphs of a text that have something in them. */
export const paragraphsOf = (text: string): string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
