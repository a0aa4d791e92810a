/** So many at once: the platform has more to do than to wait for us. */
const AT_ONCE = 6;

/**
 * Some at a time, each lot after the one before.
 *
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>} in the order of the items
 */
export async function someAtOnce(items, work) {
  /** @type {Result[]} */
  const results = [];
  for (let first = 0; first < items.length; first += AT_ONCE)
    results.push(...(await Promise.all(items.slice(first, first + AT_ONCE).map(work))));
  return results;
}
