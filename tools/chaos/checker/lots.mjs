// L2, L8, L9, L10: where points come from. Every wallet's lots are built again from its log alone.
import { finding, logsOf, NOTHING, nameOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').LotRef} LotRef */
/** @typedef {import('./world.mjs').Hold} Hold */
/** @typedef {LotRef & { remaining: number, matures_at: number | null }} Lot */
/**
 * @typedef {{ lots: Map<string, Lot>, open: Map<string, Lot>, holds: Map<string, Hold> }} Contents every lot there ever
 *   was, those that hold something, and the holds
 */
/** @typedef {ReturnType<typeof finding>} Finding */

/** Maturation, expiry and release run within a minute of their time (part 3, 4.3). */
const OVERDUE_MS = 120_000;

/**
 * Calls `visit` for each entry with what the wallet holds before it, then lets the entry act.
 *
 * @param {readonly Entry[]} log
 * @param {(entry: Entry, contents: Contents, before: import('./world.mjs').Figures) => void} visit
 * @param {(entry: Entry, contents: Contents) => void} [visitAfter]
 * @returns {Contents} what is left at the end
 */
function replay(log, visit, visitAfter = () => {}) {
  /** @type {Contents} */
  const contents = { lots: new Map(), open: new Map(), holds: new Map() };
  let before = NOTHING;
  for (const entry of log) {
    visit(entry, contents, before);
    for (const { by, matures_at, ...ref } of entry.lots) {
      const known = contents.lots.get(ref.id) ?? { ...ref, remaining: 0 };
      const lot = { ...known, remaining: known.remaining + by, matures_at };
      contents.lots.set(ref.id, lot);
      if (lot.remaining === 0) contents.open.delete(ref.id);
      else contents.open.set(ref.id, lot);
    }
    for (const hold of entry.holds) {
      if (hold.amount > 0) contents.holds.set(hold.id, hold);
      else contents.holds.delete(hold.id);
    }
    before = entry.after;
    visitAfter(entry, contents);
  }
  return contents;
}

/** @param {Contents} contents @param {boolean} pending */
const openLots = ({ open }, pending) =>
  [...open.values()].filter(({ matures_at }) => (matures_at !== null) === pending);

/** @param {{ amount?: number, remaining?: number, by?: number }[]} rows */
const sum = (rows) =>
  rows.reduce((total, row) => total + (row.remaining ?? row.amount ?? row.by ?? 0), 0);

/** @param {Contents} contents @param {Entry} entry @param {Finding} found */
function compareSums(contents, { after, ...entry }, found) {
  const sums = {
    active: sum(openLots(contents, false)),
    pending: sum(openLots(contents, true)),
    locked: sum([...contents.holds.values()]),
  };
  const expected = { active: Math.max(after.active, 0), pending: after.pending };
  found.must(
    sums.active === expected.active &&
      sums.pending === expected.pending &&
      sums.locked === after.locked,
    () =>
      `after ${nameOf(/** @type {Entry} */ (entry))} lots and holds add up to ${JSON.stringify(sums)}`,
  );
}

/**
 * L2: lots and holds add up to the balances after every entry, and the wallet's own list of lots is the one that
 * its log gives.
 *
 * @param {World} world
 */
export function lotsAreBalances(world) {
  const found = finding();
  const lists = listsOf(world);
  for (const [id, log] of logsOf(world)) {
    const list = lists.get(id);
    let compared = false;
    const nothing = () => {};
    replay(log, nothing, (entry, contents) => {
      // Adding up after each entry of a hot wallet would take for ever: often enough, and at the end.
      if (entry.sequence % 16 === 0 || entry.sequence === log.length)
        compareSums(contents, entry, found);
      if (entry.sequence !== list?.sequence) return;
      compareList(list, contents, found);
      compared = true;
    });
    found.must(compared, () => `wallet ${id} lists its lots as of no entry of its log`);
  }
  return found;
}

/** Each wallet's own list of lots and holds, and as of which entry. @param {World} world */
function listsOf({ wallets, walletLots }) {
  const apart = new Map(walletLots.map((list) => [list._id, list]));
  return new Map(
    wallets.map(({ _id, sequence, lots, holds }) => [
      _id,
      lots && holds ? { _id, sequence, lots, holds } : apart.get(_id),
    ]),
  );
}

/** @param {import('./world.mjs').WalletLots} wallet @param {Contents} contents @param {Finding} found */
function compareList(wallet, contents, found) {
  const text = (
    /** @type {{ id: string, remaining: number, matures_at: number | null }[]} */ lots,
  ) => lots.map(({ id, remaining, matures_at }) => `${id} ${remaining} ${matures_at}`).sort();
  const stored = text(wallet.lots);
  const built = text([...openLots(contents, false), ...openLots(contents, true)]);
  found.must(
    stored.join() === built.join(),
    () => `wallet ${wallet._id} lists other lots than its log gives`,
  );
  const held = (/** @type {Iterable<Hold>} */ holds) =>
    [...holds].map(({ id, amount }) => `${id} ${amount}`).sort();
  found.must(
    held(wallet.holds).join() === held(contents.holds.values()).join(),
    () => `wallet ${wallet._id} lists other holds than its log gives`,
  );
}

/** @param {Entry} entry */
const takesFromLots = ({ type, amount, source_type: source }) =>
  source !== 'capture' &&
  source !== 'merge' &&
  (['spend', 'lock', 'transfer_out', 'expire'].includes(type) ||
    (['adjust', 'cancel'].includes(type) && amount < 0));

/**
 * L8: no lot holds less than nothing or more than was put into it; what a debit says it used up is what left the
 * lots, and is all of the debit that was there to take.
 *
 * @param {World} world
 */
export function lotsAreSpentOnce(world) {
  const found = finding();
  const made = lotsMade(world);
  for (const log of logsOf(world).values()) {
    replay(
      log,
      (entry, _contents, before) => {
        if (!takesFromLots(entry)) return;
        const left = entry.lots.map(({ id, by }) => `${id} ${-by}`).sort();
        const used = entry.consumed.map(({ id, amount }) => `${id} ${amount}`).sort();
        found.must(
          left.join() === used.join(),
          () => `${nameOf(entry)} took other lots than it says`,
        );
        const covered =
          entry.type === 'cancel'
            ? -entry.amount
            : Math.min(-entry.amount, Math.max(before.active, 0));
        found.must(
          sum(entry.consumed) === covered ||
            (entry.type === 'cancel' && before.active < -entry.amount),
          () => `${nameOf(entry)} used up ${sum(entry.consumed)} of ${covered}`,
        );
      },
      (entry, contents) => {
        for (const { id } of entry.lots) {
          const { remaining } = /** @type {Lot} */ (contents.lots.get(id));
          found.must(
            remaining >= 0 && remaining <= (made.get(id) ?? 0),
            () => `${nameOf(entry)} leaves ${remaining} of ${made.get(id)} in lot ${id}`,
          );
        }
      },
    );
  }
  return found;
}

/** What was put into each lot when it was made, in whatever wallet it is by now. @param {World} world @returns {Map<string, number>} */
function lotsMade({ entries }) {
  const made = new Map();
  for (const { _id, lots } of entries)
    for (const { id, by } of lots) if (id === _id || id.startsWith(`${_id}.`)) made.set(id, by);
  return made;
}

/** @param {LotRef} a @param {LotRef} b */
const byAge = (a, b) => a.made_at - b.made_at || a.sequence - b.sequence || (a.id < b.id ? -1 : 1);

/** @param {Entry} entry */
const takesOldest = (entry) => takesFromLots(entry) && !['cancel', 'expire'].includes(entry.type);

/**
 * L9: oldest first. No debit leaves anything in an older lot than the last one that it took from.
 *
 * @param {World} world
 */
export function oldestLotsGoFirst(world) {
  const found = finding();
  for (const log of logsOf(world).values()) {
    replay(log, (entry, contents) => {
      if (!takesOldest(entry) || entry.consumed.length === 0) return;
      const taken = new Map(entry.consumed.map(({ id, amount }) => [id, amount]));
      const youngest = [...entry.consumed].sort(byAge).at(-1);
      const skipped = openLots(contents, false).find(
        (lot) =>
          byAge(lot, /** @type {LotRef} */ (youngest)) < 0 &&
          lot.id !== youngest?.id &&
          lot.remaining !== taken.get(lot.id),
      );
      found.must(!skipped, () => `${nameOf(entry)} passed over the older lot ${skipped?.id}`);
    });
  }
  return found;
}

/**
 * L10: what is due by itself happens once, not before its time and not much after it.
 *
 * @param {World} world
 */
export function dueThingsHappenOnce(world) {
  const found = finding();
  const overdueBefore = world.at.getTime() - OVERDUE_MS;
  for (const [id, log] of logsOf(world)) {
    const matured = new Set();
    const left = replay(log, (entry, contents) => {
      const at = entry.created_at.getTime();
      const lot = contents.lots.get(entry.lots[0]?.id ?? '');
      if (entry.source_type === 'maturation') {
        const lotId = entry.lots[0]?.id ?? '';
        found.must(!matured.has(lotId), () => `${nameOf(entry)} matures lot ${lotId} again`);
        matured.add(lotId);
        const matures = contents.lots.get(lotId)?.matures_at ?? Number.POSITIVE_INFINITY;
        found.must(matures <= at, () => `${nameOf(entry)} comes before its time`);
      }
      if (entry.type === 'expire')
        found.must(
          (lot?.expires_at ?? Number.POSITIVE_INFINITY) <= at && lot?.remaining === -entry.amount,
          () => `${nameOf(entry)} expires a lot too early, or not all of it`,
        );
    });
    const dates = [
      ...openLots(left, false).map(({ expires_at }) => expires_at),
      ...openLots(left, true).map(({ matures_at }) => matures_at),
      ...[...left.holds.values()].map(({ expires_at }) => expires_at),
    ];
    const overdue = dates.filter((at) => at !== null && at < overdueBefore).length;
    found.must(overdue === 0, () => `wallet ${id} has ${overdue} lots or holds that are overdue`);
  }
  return found;
}
