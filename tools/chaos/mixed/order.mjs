// In which order services are replaced.

/** @typedef {Readonly<Record<string, readonly string[]>>} Calls who asks whom */

/**
 * The order that finds the most: who asks comes before who is asked, as far as they do not ask each other, so that what is
 * new asks what is old for everything.
 *
 * @param {Calls} calls
 * @returns {string[]}
 */
export function callersFirst(calls) {
  const left = new Set(Object.keys(calls));
  const order = [];
  while (left.size > 0) {
    const callersOf = (/** @type {string} */ name) =>
      [...left].filter((other) => other !== name && calls[other]?.includes(name)).length;
    const next = [...left].sort((a, b) => callersOf(a) - callersOf(b) || a.localeCompare(b))[0];
    order.push(String(next));
    left.delete(String(next));
  }
  return order;
}

/** Whom a service asks, by its settings. @param {string} config the source of its `config.ts` */
export const askedIn = (config) =>
  [...config.matchAll(/\btargetOf\('([a-z-]+)'\)/g)].map(([, name]) => String(name));
