const LENGTH_MAX = 100;

/**
 * A name that somebody chose, as a mail may quote it: one line that runs as the sentence around it
 * does, not too long, and no address that is written as one. What is no more than `shop.example` stays: shops are called so.
 */
export function oneLine(name: string): string {
  const line = name
    .replace(/[\u202A-\u202E\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\b(?:https?:|www\.)\S*/gi, '…')
    .replace(/:\/\/\S*/g, '…')
    .trim();
  const letters = [...line];
  return letters.length > LENGTH_MAX ? `${letters.slice(0, LENGTH_MAX - 1).join('')}…` : line;
}
