// Chance that comes out the same for the same seed, and ids that look as if made at some moment.
import { mulberry32 } from '../../lib/random.mjs';

/**
 * A source of numbers from 0 to below 1 of its own for each combination of parts.
 *
 * @param {...(string | number)} parts
 * @returns {() => number}
 */
export const randomFrom = (...parts) => mulberry32(hash(parts.join(' ')));

/** @param {string} text FNV-1a, then mixed, so that neighbours share nothing */
function hash(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}

/** @typedef {() => number} Random */

/**
 * @param {Random} random
 * @param {number} from
 * @param {number} to included
 */
export const integer = (random, from, to) => from + Math.floor(random() * (to - from + 1));

/**
 * One of some, the first ones more often than the last: as names are in real life.
 *
 * @template T
 * @param {Random} random
 * @param {readonly T[]} items
 * @returns {T}
 */
export const skewed = (random, items) =>
  /** @type {T} */ (items[Math.floor(items.length * random() ** 2)]);

/**
 * A UUID v7 of a moment.
 *
 * @param {number} at epoch milliseconds
 * @param {Random} random
 */
export function idAt(at, random) {
  const time = Math.floor(at).toString(16).padStart(12, '0');
  const hex = (/** @type {number} */ digits) =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const variant = (8 + Math.floor(random() * 4)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`;
}
