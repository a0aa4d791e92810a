import { isSafeNumber, parse } from 'lossless-json';
import type { Json } from './refusal';

/** Only numbers this long can lose digits as a double; what has none is parsed by the runtime, which is quicker. */
const MAY_LOSE_DIGITS = /\d{15}|\d[eE]/;

/**
 * JSON whose numbers are what was written: one that loses digits as a double, an id above 2^53 most of all, is kept as
 * its text (part 4, section 5). A fraction that only loses what no amount has stays a number. Throws SyntaxError.
 */
export function parseJson(text: string): Json {
  const plain = JSON.parse(text) as Json;
  if (!MAY_LOSE_DIGITS.test(text)) return plain;
  return parse(text, null, {
    parseNumber: (digits) => (isSafeNumber(digits, { approx: true }) ? Number(digits) : digits),
    // As JSON.parse has it.
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json;
}
