import { foldings, foldText } from '@laurel/mongo';
import { typedDigits } from '@laurel/values/contact';

/**
 * How a text that somebody looks for may stand in what clients are found by. A phone number is kept as it was given and
 * as E.164; it is typed at a counter with gaps, and as it is dialled.
 */
export function spellingsOf(text: string): string[] {
  const folded = foldText(text);
  const number = typedDigits(folded);
  if (number === null) return foldings(text);
  return folded.includes(number) ? [number] : [folded, number];
}
