// L1, L3, L7: the balances of a wallet, taken from its entries alone.
import { finding, groupBy, logsOf, NOTHING, nameOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').Figures} Figures */

const FIGURES = /** @type {(keyof Figures)[]} */ (Object.keys(NOTHING));

/** @param {Figures} a @param {Figures} b */
const same = (a, b) => FIGURES.every((name) => a[name] === b[name]);

/** @param {Figures} a @param {Figures} b */
function plus(a, b) {
  return /** @type {Figures} */ (
    Object.fromEntries(FIGURES.map((name) => [name, a[name] + b[name]]))
  );
}

/**
 * L1: each wallet's figures are the sums of its entries' changes, in whole units.
 *
 * @param {World} world
 */
export function sumsAreBalances(world) {
  const found = finding();
  const wallets = new Map(world.wallets.map((wallet) => [wallet._id, wallet]));
  for (const [id, log] of logsOf(world)) {
    const sums = log.reduce((sum, { change }) => plus(sum, change), NOTHING);
    const wallet = wallets.get(id);
    found.must(
      wallet !== undefined && same(sums, wallet.figures),
      () =>
        `wallet ${id} stands at ${JSON.stringify(wallet?.figures)}, its entries add up to ${JSON.stringify(sums)}`,
    );
    found.must(
      FIGURES.every((name) => Number.isSafeInteger(sums[name])),
      () => `wallet ${id} has a figure that is not a whole number of units`,
    );
  }
  for (const { _id } of world.wallets)
    found.must(logsOf(world).has(_id), () => `wallet ${_id} has balances and not one entry`);
  return found;
}

/**
 * L3: sequences are 1, 2, 3 ... up to the wallet's own, and each balance follows from the one before.
 *
 * @param {World} world
 */
export function sequencesHaveNoGaps(world) {
  const found = finding();
  const wallets = new Map(world.wallets.map((wallet) => [wallet._id, wallet]));
  for (const [id, log] of logsOf(world)) {
    let before = NOTHING;
    log.forEach((entry, index) => {
      found.must(entry.sequence === index + 1, () => `${nameOf(entry)} is entry ${index + 1}`);
      found.must(
        same(plus(before, entry.change), entry.after),
        () => `the balances after ${nameOf(entry)} do not follow from those before`,
      );
      before = entry.after;
    });
    const last = wallets.get(id)?.sequence;
    found.must(last === log.length, () => `wallet ${id} stands at ${last} of ${log.length}`);
  }
  return found;
}

/**
 * What an entry of each type may move, for an amount `a` that carries its sign.
 *
 * @param {Entry} entry
 * @returns {Partial<Figures> | null} null when the type cannot have this amount
 */
function expectedChange({ type, amount: a, change, source_type: source, first_status: status }) {
  switch (type) {
    case 'earn':
      if (a <= 0) return null;
      return status === 'pending' ? { pending: a, earned: a } : { active: a, earned: a };
    case 'spend':
      if (a >= 0) return null;
      return source === 'capture' ? { locked: a, spent: -a } : { active: a, spent: -a };
    case 'expire':
      return a < 0 ? { active: a, expired: -a } : null;
    case 'lock':
      return a < 0 ? { active: a, locked: -a } : null;
    case 'unlock':
      if (a <= 0) return null;
      return source === 'maturation' ? { pending: -a, active: a } : { locked: -a, active: a };
    case 'transfer_in':
      return a > 0 ? { active: a, moved: a } : null;
    case 'transfer_out':
      return a < 0 ? { active: a, moved: a } : null;
    case 'adjust':
      return a > 0 ? { active: a, earned: a } : { active: a, spent: -a };
    case 'cancel':
      if (a > 0) return { active: a, spent: -a };
      return change.active + change.pending === a
        ? { active: change.active, pending: change.pending, earned: a }
        : null;
    default:
      return null;
  }
}

/**
 * L7: what came in less what went out is what is there; and each entry moves what its type says.
 *
 * @param {World} world
 */
export function totalsExplainBalances(world) {
  const found = finding();
  for (const entry of world.entries) {
    const { earned, moved, spent, expired, active, pending, locked } = entry.after;
    found.must(
      earned + moved - spent - expired === active + pending + locked,
      () => `after ${nameOf(entry)} the totals do not explain the balances`,
    );
    if (entry.source_type === 'merge') continue;
    const expected = expectedChange(entry);
    found.must(
      expected !== null && same({ ...NOTHING, ...expected }, entry.change),
      () => `${nameOf(entry)} of ${entry.amount} moves ${JSON.stringify(entry.change)}`,
    );
  }
  return found;
}

/**
 * L13: an entry's status is what the entries after it made of it, and nothing else.
 *
 * @param {World} world
 */
export function statusesFollowMarks(world) {
  const found = finding();
  const marks = groupBy(
    world.entries.flatMap(({ marks, created_at, wallet_id, sequence }) =>
      marks.map((mark) => ({ ...mark, at: created_at.getTime(), wallet_id, sequence })),
    ),
    ({ entry_id }) => entry_id,
  );
  for (const entry of world.entries) {
    const possible = lastOf(marks.get(entry._id) ?? []) ?? [entry.first_status];
    found.must(
      possible.includes(entry.status),
      () => `${nameOf(entry)} is ${entry.status}, its log says ${possible.join(' or ')}`,
    );
  }
  return found;
}

/**
 * What the last mark says. It may stand in another wallet, into which the entry's was merged; two wallets are in no
 * order within a millisecond.
 *
 * @param {{ at: number, wallet_id: string, sequence: number, status: string }[]} marks
 * @returns {string[] | null} null without any
 */
function lastOf(marks) {
  const lastAt = Math.max(...marks.map(({ at }) => at));
  const last = marks.filter(({ at }) => at === lastAt);
  const perWallet = [...groupBy(last, ({ wallet_id }) => wallet_id).values()].map(
    (rows) => rows.sort((a, b) => b.sequence - a.sequence)[0]?.status ?? '',
  );
  return perWallet.length > 0 ? perWallet : null;
}
