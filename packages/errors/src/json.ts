import { parse } from 'lossless-json';
import { isDeeperThan } from './levels';
import type { Json, JsonObject } from './refusal';

/** Only numbers this long are above 2^53; what has none is parsed by the runtime, which is quicker. */
const MAY_BE_LARGE = /\d{16}|\d[eE]/;
/** Far more than is kept anywhere, and less than there is room for on the stack. */
const PARSED_LEVELS_MAX = 1_000;

/**
 * JSON whose numbers are what was written: one above 2^53, which loses digits as a double, is kept as its text (part 4,
 * section 5). A smaller one may lose digits of its fraction, which no amount has, and so may those of what is nested deeper than
 * anything that is kept. Throws SyntaxError.
 */
export function parseJson(text: string): Json {
  const plain = JSON.parse(text) as Json;
  if (!MAY_BE_LARGE.test(text) || isDeeperThan(plain, PARSED_LEVELS_MAX)) return plain;
  return parse(text, null, {
    parseNumber: (digits) =>
      Math.abs(Number(digits)) <= Number.MAX_SAFE_INTEGER ? Number(digits) : digits,
    // As JSON.parse has it.
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json;
}

/** A value with one that was so kept as the largest number there is, by which it can be said what it is too large for. */
export function measurable(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d/.test(value)) return value;
  const number = Number(value);
  return Math.abs(number) > Number.MAX_SAFE_INTEGER
    ? Math.sign(number) * Number.MAX_SAFE_INTEGER
    : value;
}

/** A member whose name somebody else chose: `toString` is none where nothing of that name was kept. */
export function memberOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
