/** No store, search or log takes the null character, and no UTF-8 a half of a pair. */
const UNREADABLE = /[\0\uD800-\uDFFF]/u;
/** Line and paragraph separators break lines as much as control characters do. */
const NOT_ON_ONE_LINE = /[\p{Cc}\u2028\u2029]/u;
/** Embeddings, overrides and isolates turn the order of what stands after them: a name could rewrite the sentence it is in. */
const TURNS_DIRECTION = /[\u202A-\u202E\u2066-\u2069]/u;
/**
 * Keys by which code that copies members could be made to change every object, and the one by which the driver of the
 * store knows values of its own: it refuses whatever else has it.
 */
export const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype', '_bsontype'] as const;

const FORBIDDEN: ReadonlySet<string> = new Set(FORBIDDEN_KEYS);

/** Whether a name that somebody chose is one of these. */
export const isForbiddenKey = (name: string): boolean => FORBIDDEN.has(name);

/** What is wrong with a text whatever it is for, or null (part 4, section 1). */
export function complaintAboutText(text: string): string | null {
  return UNREADABLE.test(text)
    ? 'must not hold null characters or halves of surrogate pairs'
    : null;
}

/**
 * How JSON writes a null character or a half of a pair, a letter of a forbidden key that hides itself, or such a key; whole
 * pairs as well, and a few texts that only look like it.
 */
const SUSPICIOUS = new RegExp(
  `\\\\u(?:0000|00[4-7]|[dD][89a-fA-F])|"(?:${FORBIDDEN_KEYS.join('|')})"`,
);

/**
 * Whether a text of JSON, decoded from whole UTF-8, may hold what cannot be kept. What cannot is not looked through member
 * by member, which takes longer than to parse it.
 */
export function mayHoldUnkeepable(json: string): boolean {
  return SUSPICIOUS.test(json);
}

/**
 * Holds something that can be seen: not only spaces, and what takes no place or shows nothing (joiners, marks of direction,
 * soft hyphens, selectors of variants, fillers, the empty Braille pattern). Without flags, for the API document says it, too.
 */
export const VISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them stands for itself
  /[^\u034F\uFE00-\uFE0F\s\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0]/;

/** What shows nothing and lies where patterns without flags cannot name it: tags, further selectors, marks of notations. */
const INVISIBLE_BEYOND = /[\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Whether something of a text can be seen. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text.replace(INVISIBLE_BEYOND, ''));
}

/** What is wrong with a text that is shown on one line, a name or title, or null. */
export function complaintAboutLine(text: string): string | null {
  return (
    complaintAboutText(text) ??
    (NOT_ON_ONE_LINE.test(text) || TURNS_DIRECTION.test(text)
      ? 'must be one line without control characters'
      : null)
  );
}

/** The first text or key in a value of JSON that cannot be kept, with its dotted path, or null. */
export function complaintAboutTexts(
  value: unknown,
  path = '',
): { path: string; complaint: string } | null {
  if (typeof value === 'string') {
    const complaint = complaintAboutText(value);
    return complaint === null ? null : { path, complaint };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`;
    if (isForbiddenKey(key)) return { path: place, complaint: 'is a forbidden key' };
    if (UNREADABLE.test(key))
      return { path: place, complaint: 'is a key with a null character or half a pair' };
    const found = complaintAboutTexts(member, place);
    if (found) return found;
  }
  return null;
}
