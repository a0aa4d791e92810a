// The part of L12 about clients that became part of others.
import { finding, logsOf, NOTHING, nameOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Figures} Figures */

const FIGURES = /** @type {(keyof Figures)[]} */ (Object.keys(NOTHING));

/**
 * L14: a merge moves everything and makes or loses nothing: each figure that leaves one wallet arrives in the other;
 * the wallet that was left is empty, is written to no more, and knows where everything went.
 *
 * @param {World} world
 */
export function mergesConserve(world) {
  const found = finding();
  const byId = new Map(world.entries.map((entry) => [entry._id, entry]));
  const mergedInto = new Map(
    world.tombstones
      .filter(({ kind }) => kind === 'merged')
      .map((row) => [row._id, row.merged_into]),
  );
  for (const entry of world.entries) {
    if (entry.source_type !== 'merge') continue;
    const other = byId.get(entry.counterpart?.entry_id ?? '');
    found.must(
      FIGURES.every((name) => entry.change[name] + (other?.change[name] ?? Number.NaN) === 0),
      () => `${nameOf(entry)} and its other side do not cancel out`,
    );
    if (entry.type !== 'transfer_out') continue;
    // What is pending or locked leaves before the rest, in a pair of its own that closes nothing.
    if (!entry.closing) {
      found.must(
        entry.counterpart?.client_id === mergedInto.get(entry.client_id),
        () => `${nameOf(entry)} went to another than the rest`,
      );
      continue;
    }
    found.must(
      FIGURES.every((name) => entry.after[name] === 0),
      () => `${nameOf(entry)} leaves something behind`,
    );
    found.must(
      entry.closing?.successor === entry.counterpart?.wallet_id &&
        entry.counterpart?.client_id === mergedInto.get(entry.client_id),
      () => `${nameOf(entry)} went to ${entry.closing?.successor}`,
    );
  }
  for (const log of logsOf(world).values()) {
    const last = log.at(-1);
    found.must(
      last?.source_type !== 'merge' || last.type !== 'transfer_out' || Boolean(last.closing),
      () => `${nameOf(last ?? log[0])} empties a wallet and does not close it`,
    );
    const end = log.findIndex(({ closing }) => closing);
    found.must(
      end < 0 || end === log.length - 1,
      () => `entries follow ${nameOf(log[end] ?? log[0])}`,
    );
  }
  for (const { client_id, figures, _id } of world.wallets)
    found.must(
      !mergedInto.has(client_id) || FIGURES.every((name) => figures[name] === 0),
      () => `wallet ${_id} of the merged client ${client_id} still holds something`,
    );
  return found;
}
