/** Without the letters and digits that are taken for one another. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const CODE_LENGTH = 8;

/** A whole number from 0 up to, but not including, `below`. */
export type PickNumber = (below: number) => number;

/** A code that cannot be guessed, as far as `pickNumber` cannot be guessed. */
export function makeCode(pickNumber: PickNumber): string {
  const letters = Array.from(
    { length: CODE_LENGTH },
    () => CODE_ALPHABET[pickNumber(CODE_ALPHABET.length)],
  );
  return letters.join('');
}

/** The code as it is stored; null for a text that is no code at all, however long. */
export function normaliseCode(entered: string): string | null {
  const code = entered.trim().toUpperCase();
  if (code.length !== CODE_LENGTH) return null;
  return [...code].every((letter) => CODE_ALPHABET.includes(letter)) ? code : null;
}

/** The distribution's public page with the code in its query. */
export function shareUrl(publicUrl: string, code: string): string {
  const url = new URL(publicUrl);
  url.searchParams.set('ref', code);
  return url.toString();
}
