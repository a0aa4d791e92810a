/** Read aloud and typed without mistakes: no 0 and O, no 1, I and L (part 3, section 6). */
export const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

const TOKEN = /\{RAND:(\d{1,4})\}/g;
const RANDOM_MIN = 4;
const RANDOM_MAX = 64;
const CODE_LENGTH_MAX = 128;

/** Picks a whole number from 0 to below `bound`, from a cryptographic source. */
export type Pick = (bound: number) => number;

/** What is wrong with a coupon pattern, or null. */
export function patternProblem(pattern: string): string | null {
  const lengths = [...pattern.matchAll(TOKEN)].map((match) => Number(match[1]));
  if (!lengths.some((length) => length >= RANDOM_MIN))
    return `must contain at least one {RAND:N} token with N of at least ${RANDOM_MIN}`;
  if (lengths.some((length) => length < 1 || length > RANDOM_MAX))
    return `must ask for 1 to ${RANDOM_MAX} characters per {RAND:N} token`;
  const fixed = pattern.replace(TOKEN, '').length;
  const total = lengths.reduce((sum, length) => sum + length, fixed);
  return total > CODE_LENGTH_MAX
    ? `must give codes of at most ${CODE_LENGTH_MAX} characters`
    : null;
}

/** A code of the pattern; each random character is drawn on its own. */
export function drawCode(pattern: string, pick: Pick): string {
  return pattern.replace(TOKEN, (_token, length: string) =>
    Array.from({ length: Number(length) }, () => ALPHABET[pick(ALPHABET.length)]).join(''),
  );
}

/** What two codes are compared by: case and surrounding space do not tell them apart. */
export function codeKey(code: string): string {
  return code.trim().toUpperCase();
}
