// What was sent is sent again: doubled, and in another order. All consumers must bear it, at any time.
import { untilDrained } from './watch.mjs';

/** @typedef {Awaited<ReturnType<import('./store.mjs').Store['read']>>} Stored */
/** @typedef {import('./tap.mjs').Tap} Tap */
/** @typedef {import('../lib/random.mjs').Random} Random */

/** What time does by itself: points end, holds end, and what was pending matures. No event asks for such an entry. */
const BY_ITSELF = new Set(['expire', 'unlock']);
/** A note that an event was handled is no effect of it: what meant nothing when it came first was not noted, and may be now. */
const NOTES = 'inbox';
/** So often it is looked again where time has done something meanwhile: the last holds of a run end a minute after it. */
const LOOKS_MAX = 20;
/** Nothing is harmed any more, and a slow machine may take long: sent once more meanwhile, it would only take longer. */
const ALL_WITHIN_MS = 900_000;

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} messages
 * @returns {T[]}
 */
export const doubledAndShuffled = (random, messages) => random.shuffled([...messages, ...messages]);

/**
 * Sends some of what was heard once more, amid everything else.
 *
 * @param {Tap} tap
 * @param {Random} random
 * @param {number} count
 * @returns {Promise<boolean>} whether the broker took it
 */
export async function replaySome(tap, random, count) {
  const some = random.shuffled(tap.kept()).slice(0, count);
  return some.length > 0 && (await tap.repeat(doubledAndShuffled(random, some)));
}

/**
 * Once everything has come to rest: sends all of it again, waits until it is through, and names what is otherwise then.
 *
 * @param {{ store: import('./store.mjs').Store, stores: Pick<import('./store.mjs').Store, 'waiting'>, broker: () => number, tap: Tap, random: Random }} parts
 * @returns {Promise<import('./checker/world.mjs').Replayed>}
 */
export async function replayAll({ store, stores, broker, tap, random }) {
  for (let looks = 1; ; looks += 1) {
    await untilDrained(stores, broker);
    const before = await store.read();
    const messages = doubledAndShuffled(random, tap.kept());
    if (!(await tap.repeat(messages, ALL_WITHIN_MS)))
      throw new Error(`the broker did not take ${messages.length} events again`);
    await untilDrained(stores, broker);
    const after = await store.read();
    if (!isDisturbed(before, after) || looks === LOOKS_MAX)
      return { messages: messages.length, changed: differences(before, after) };
  }
}

/**
 * Whether time has done something between two looks, so that they cannot be compared.
 *
 * @param {Pick<Stored, 'entries'>} before
 * @param {Pick<Stored, 'entries'>} after
 */
export function isDisturbed(before, after) {
  const known = new Set(before.entries.map(({ _id }) => _id));
  return after.entries.some(({ _id, type }) => !known.has(_id) && BY_ITSELF.has(type));
}

/**
 * Names rows that came, went or are otherwise.
 *
 * @param {Record<string, readonly any[]>} before
 * @param {Record<string, readonly any[]>} after
 * @returns {string[]}
 */
export function differences(before, after) {
  const lists = Object.keys(before).filter((list) => list !== NOTES);
  return lists.flatMap((list) => {
    const [was, is] = [rowsByName(before[list] ?? []), rowsByName(after[list] ?? [])];
    const names = [...new Set([...was.keys(), ...is.keys()])];
    return names
      .filter((name) => was.get(name) !== is.get(name))
      .map(
        (name) => `${list} ${name}: ${was.get(name) ?? 'not there'} -> ${is.get(name) ?? 'gone'}`,
      );
  });
}

/** @param {readonly any[]} rows @returns {Map<string, string>} */
const rowsByName = (rows) => {
  /** @type {Map<string, string>} */
  const named = new Map();
  for (const row of rows)
    named.set(`${row.service ?? ''} ${row._id ?? row.id ?? row.key}`.trim(), JSON.stringify(row));
  return named;
};
