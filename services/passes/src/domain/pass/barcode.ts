import type { BarcodeType } from '@laurel/contract';
import { fillPlaceholders, hasPlaceholder, type PassFacts } from './placeholders';

/** Longer ones no scanner reads off a phone; also the most that the API takes. */
const VALUE_MAX = 255;
const LATIN_1_MAX = 0xff;

/** Whether a barcode of the type can bear the value: Code 128 has ASCII only (part 4, section 3). */
export function canBear(type: BarcodeType, value: string): boolean {
  if (value === '' || value.length > VALUE_MAX) return false;
  return type !== 'code128' || /^\p{ASCII}*$/u.test(value);
}

/**
 * What the pattern of a template (`barcode_id`) comes to; null where it has no placeholder, so that it would be the
 * same on every card, or where one of them has no value.
 */
export function filledPattern(pattern: string | null, facts: PassFacts): string | null {
  if (pattern === null || !hasPlaceholder(pattern)) return null;
  let isComplete = true;
  const value = fillPlaceholders(pattern, facts, (part) => {
    if (part.trim() === '') isComplete = false;
    return part;
  });
  return isComplete ? value : null;
}

/** How a scanner is to read the bytes of a barcode, by the names of Apple and IANA. */
export function encodingOf(value: string): 'iso-8859-1' | 'utf-8' {
  return [...value].every((sign) => sign.codePointAt(0)! <= LATIN_1_MAX) ? 'iso-8859-1' : 'utf-8';
}
