// Dice that fall the same way for the same seed.

/** @typedef {ReturnType<typeof createRandom>} Random */

/**
 * @param {string} text
 * @returns {number} 32 bits that depend on all of it
 */
function mix(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

/**
 * @param {number} state 32 bits
 * @returns {() => number} a number in [0, 1) each time
 */
export function mulberry32(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A stream of its own for each purpose, so that one more draw for faults does not change the load.
 *
 * @param {number} seed
 * @param {string} purpose
 */
export function createRandom(seed, purpose) {
  const next = mulberry32(mix(`${seed} ${purpose}`));

  /** @param {number} from @param {number} to both included */
  const int = (from, to) => from + Math.floor(next() * (to - from + 1));
  /** @param {number} share */
  const chance = (share) => next() < share;
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => /** @type {T} */ (list[int(0, list.length - 1)]);

  /**
   * @template {string} T
   * @param {Record<T, number>} weights
   * @returns {T}
   */
  function weighted(weights) {
    const entries = /** @type {[T, number][]} */ (Object.entries(weights));
    let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return /** @type {[T, number]} */ (entries.at(-1))[0];
  }

  /** @template T @param {readonly T[]} list @returns {T[]} */
  function shuffled(list) {
    const copy = [...list];
    for (let last = copy.length - 1; last > 0; last -= 1) {
      const other = int(0, last);
      [copy[last], copy[other]] = [/** @type {T} */ (copy[other]), /** @type {T} */ (copy[last])];
    }
    return copy;
  }

  return { next, int, chance, pick, weighted, shuffled };
}
