// What later operations can refer to: ids that the platform gave.

/** @typedef {import('../../lib/random.mjs').Random} Random */
/** @typedef {import('../checker/world.mjs').Reply} Reply */
/** @typedef {'locks' | 'cancellable' | 'purchases' | 'redemptions' | 'referrals'} Kept */

/** Kept of each kind, so that memory does not grow with the run. */
const REMEMBERED = 200;

export class Memory {
  /** @type {Record<Kept, string[]>} */
  #known = {
    ...{ locks: [], cancellable: [], purchases: [] },
    ...{ redemptions: [], referrals: [] },
  };

  /** @param {Kept} kind @param {string} id */
  add(kind, id) {
    const ids = this.#known[kind];
    ids.push(id);
    if (ids.length > REMEMBERED) ids.shift();
  }

  /** Mostly each once; now and then one that somebody else may be at. @param {Kept} kind @param {Random} random */
  take(kind, random) {
    const ids = this.#known[kind];
    if (ids.length === 0) return undefined;
    const position = random.int(0, ids.length - 1);
    return random.chance(0.25) ? ids[position] : ids.splice(position, 1)[0];
  }

  /** One that stays for those who come next. @param {Kept} kind @param {Random} random */
  peek(kind, random) {
    const ids = this.#known[kind];
    return ids.length === 0 ? undefined : random.pick(ids);
  }

  /** @param {Reply} entry */
  learn({ id, type }) {
    if (type === 'lock') this.add('locks', id);
    if (['earn', 'spend', 'adjust'].includes(type)) this.add('cancellable', id);
  }
}
