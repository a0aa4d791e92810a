import { foldings, foldText } from '@laurel/mongo';

/** What people type of a phone number: digits, and what they part them with. */
const PHONE = /^\+?[\d\s()./-]+$/;
/** Fewer digits may be anything. */
const DIGITS_MIN = 5;
/** What is dialled before a number at home (0) and abroad (00), and is no part of it as it is kept. */
const DIALLED = /^00?/;

/**
 * How a text that somebody looks for may stand in what clients are found by. A phone number is kept as it was given and
 * as E.164; it is typed at a counter with gaps, and as it is dialled.
 */
export function spellingsOf(text: string): string[] {
  const folded = foldText(text);
  const number = folded.replace(/\D/g, '').replace(DIALLED, '');
  if (!PHONE.test(folded.trim()) || number.length < DIGITS_MIN) return foldings(text);
  return folded.includes(number) ? [number] : [folded, number];
}
