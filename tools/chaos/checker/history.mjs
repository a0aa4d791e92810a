// H1 to H4: what answers said to clients, against what is in the log. Entries are found by the tag that each request carried.
import { isLucky, isOfRule } from './shopping.mjs';
import { isOfTill } from './till.mjs';
import { finding, groupBy, nameOf, unitsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').Operation} Operation */
/** @typedef {import('./world.mjs').Reply} Reply */
/** @typedef {import('./world.mjs').Outcome} Outcome */
/**
 * @typedef {{ tag: string, kind: string, body: any, outcome: Outcome, replies: Reply[], invokedAt: number, endedAt: number }} Atom
 *   one thing that was asked for: an operation, or one of a batch
 */

/** Kinds that leave tagged entries, and the types of entries that each leaves. @type {Record<string, string[]>} */
const LEAVES = {
  earn: ['earn'],
  spend: ['spend'],
  adjust: ['adjust'],
  transfer: ['transfer_out', 'transfer_in'],
  lock: ['lock'],
  cancel: ['cancel'],
};

/** Errors inside a batch that leave the outcome open. */
const OPEN_ERRORS = new Set(['INTERNAL', 'SERVICE_UNAVAILABLE']);

/** @param {Operation} operation @returns {Atom[]} */
function atomsOf({ id, kind, body, outcome, entries, results, invokedAt, endedAt }) {
  if (kind !== 'batch') {
    return kind in LEAVES
      ? [{ tag: id, kind, body, outcome, replies: entries, invokedAt, endedAt }]
      : [];
  }
  return body.operations.map((/** @type {any} */ one, /** @type {number} */ index) => {
    const result = results?.[index];
    const own = result?.entry ? 'ok' : OPEN_ERRORS.has(result?.error ?? '') ? 'unknown' : 'fail';
    return {
      tag: one.metadata.op,
      kind: one.op,
      body: one,
      outcome: outcome === 'ok' ? own : outcome,
      replies: result?.entry ? [result.entry] : [],
      invokedAt,
      endedAt,
    };
  });
}

/** @param {Entry} entry @returns {string | null} the tag of the request that asked for it */
function tagOf(entry) {
  const { type, note, source_type: source } = entry;
  if (isOfTill(entry)) return null;
  if (type === 'cancel') return source === 'cancel' ? (note?.description ?? null) : null;
  return note?.metadata.op ?? null;
}

/** Guests are forgotten with their tags: E2 counts what they earned. @param {World} world */
function entriesOfOthers({ entries, guests }) {
  const ids = new Set(guests.map(({ clientId }) => clientId));
  return entries.filter(({ client_id }) => !ids.has(client_id));
}

/** @param {World} world @returns {Map<string, Entry[]>} */
function entriesByTag(world) {
  const tagged = entriesOfOthers(world).filter((entry) => tagOf(entry) !== null);
  return groupBy(tagged, (entry) => String(tagOf(entry)));
}

/**
 * H1: what was acknowledged is there once and as asked for, what was refused is not there, and nothing is there
 * without a request.
 *
 * @param {World} world
 */
export function acknowledgedIsApplied(world) {
  const found = finding();
  const applied = entriesByTag(world);
  const atoms = world.history.flatMap(atomsOf);
  for (const atom of atoms) {
    const entries = applied.get(atom.tag) ?? [];
    const complaint = complaintAbout(atom, entries);
    found.must(complaint === null, () => `${atom.kind} ${atom.tag} (${atom.outcome}) ${complaint}`);
  }
  const asked = new Set(atoms.map(({ tag }) => tag));
  for (const [tag, entries] of applied)
    found.must(
      asked.has(tag),
      () => `nobody asked for ${nameOf(/** @type {Entry} */ (entries[0]))}`,
    );
  for (const entry of entriesOfOthers(world))
    found.must(tagOf(entry) !== null || isUntagged(entry), () => `${nameOf(entry)} carries no tag`);
  return found;
}

/** What no request asked the ledger for by itself. @param {Entry} entry */
const isUntagged = (entry) => {
  const { type, source_type: source } = entry;
  return (
    ['unlock', 'expire', 'cancel'].includes(type) ||
    (type === 'spend' && ['capture', 'redemption'].includes(source)) ||
    // What rules give names the event; R7 asks where it comes from.
    isOfRule(entry) ||
    isLucky(entry) ||
    isOfTill(entry) ||
    (type.startsWith('transfer_') && source === 'merge')
  );
};

/** @param {Atom} atom @param {Entry[]} entries @returns {string | null} */
function complaintAbout({ kind, outcome, replies, body }, entries) {
  const types = LEAVES[kind] ?? [];
  if (entries.length === 0) return outcome === 'ok' ? 'is not in the log' : null;
  if (outcome === 'fail') return `was refused and stands in ${entries.length} entries`;
  if (entries.length !== types.length) return `stands in ${entries.length} entries`;
  if (types.some((type) => !entries.some((entry) => entry.type === type)))
    return `stands in entries of type ${entries.map(({ type }) => type)}`;
  const ids = new Set(entries.map(({ _id }) => _id));
  if (replies.some(({ id }) => !ids.has(id))) return 'was answered with another entry';
  return kind === 'cancel' ? null : complaintAboutAmounts(body, entries);
}

/** @param {any} body @param {Entry[]} entries */
function complaintAboutAmounts(body, entries) {
  for (const { amount, note, client_id } of entries) {
    const asked = unitsOf(note?.metadata.requested_amount ?? body.amount);
    if (Math.abs(asked) !== Math.abs(unitsOf(body.amount))) return 'claims that more was asked for';
    const capped = note?.metadata.requested_amount !== undefined;
    if (capped ? Math.abs(amount) >= Math.abs(asked) : Math.abs(amount) !== Math.abs(asked))
      return `moved ${amount} units, ${asked} were asked for`;
    if (![body.client_id, body.from_client_id, body.to_client_id].includes(client_id))
      return `moved points of client ${client_id}`;
  }
  return null;
}

/** @param {World} world */
const repliesIn = (world) =>
  world.history.flatMap(({ entries, results = [] }) => [
    ...entries,
    ...results.flatMap(({ entry }) => entry ?? []),
  ]);

/**
 * H2: every balance, amount and place in the chain that an answer named is the one in the log, which L3 follows
 * step by step from nothing.
 *
 * @param {World} world
 */
export function answersWereTrue(world) {
  const found = finding();
  const byId = new Map(world.entries.map((entry) => [entry._id, entry]));
  for (const reply of repliesIn(world)) {
    const entry = byId.get(reply.id);
    found.must(
      entry !== undefined &&
        unitsOf(reply.amount) === entry.amount &&
        unitsOf(reply.balance_after) === entry.after.active &&
        reply.type === entry.type &&
        reply.sequence === entry.sequence &&
        reply.hash === entry.hash &&
        reply.client_wallet_id === entry.wallet_id &&
        Date.parse(reply.created_at) === entry.created_at.getTime(),
      () => `a client was told of entry ${reply.id} what is not in the log`,
    );
  }
  return found;
}

/**
 * H3: per wallet the log keeps to the clock: what had ended before something else began comes before it. And what
 * was acknowledged could be read at once, from any gateway.
 *
 * @param {World} world
 */
export function orderIsReal(world) {
  const found = finding();
  const told = world.history
    .flatMap(atomsOf)
    .flatMap(({ replies, invokedAt, endedAt, tag }) =>
      replies.map((reply) => ({ ...reply, invokedAt, endedAt, tag })),
    );
  for (const [wallet, rows] of groupBy(told, (row) => row.client_wallet_id)) {
    rows.sort((a, b) => b.sequence - a.sequence);
    let soonestEnd = Number.POSITIVE_INFINITY;
    for (const { sequence, invokedAt, endedAt, tag } of rows) {
      found.must(
        soonestEnd >= invokedAt,
        () => `wallet ${wallet}: ${tag} (sequence ${sequence}) began after a later one had ended`,
      );
      soonestEnd = Math.min(soonestEnd, endedAt);
    }
  }
  for (const { kind, outcome, entries, of, status, id } of world.history)
    if (kind === 'read' && outcome !== 'unknown')
      found.must(
        outcome === 'ok' && entries[0]?.id === of,
        () => `read ${id} of acknowledged entry ${of} answered ${status}`,
      );
  return found;
}

/**
 * H4: a key that was used with one body is refused with another, whatever became of Redis in between.
 *
 * @param {World} world
 */
export function usedKeysConflict(world) {
  const found = finding();
  for (const { kind, id, outcome, status, of } of world.history) {
    if (kind !== 'probe' || outcome === 'unknown') continue;
    found.must(
      status === 409,
      () => `probe ${id} with the key of entry ${of} and another body answered ${status}`,
    );
  }
  return found;
}

/** What stays as it was; an answer says if a redemption was used or cancelled since. @param {Pick<Operation, 'entries' | 'results' | 'told'>} answer */
function lastingOf({ entries, results, told }) {
  const redemption = told?.redemption && { ...told.redemption, status: null };
  return JSON.stringify({ entries, results, told: told && { ...told, redemption } });
}

/**
 * H11: who asks once more under the same key, however much later and whatever became of Redis, has the first answer again.
 *
 * @param {World} world
 */
export function repeatsAreAnsweredAlike(world) {
  const found = finding();
  const first = new Map(world.history.map((one) => [one.id, one]));
  for (const again of world.again) {
    const { id, status, code } = again;
    const before = first.get(id);
    const then = before && lastingOf(before);
    const now = lastingOf(again);
    found.must(
      status === before?.status && now === then,
      () =>
        `${before?.kind} ${id} was answered ${before?.status} ${then}, and later ${status} ${code} ${now}`,
    );
  }
  return found;
}
