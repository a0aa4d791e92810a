// L11, L12: each operation took effect once, and what spans two wallets did so in both.
import { finding, groupBy, logsOf, nameOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */

/** The names under which an entry may exist once. @type {Record<string, (entry: Entry) => string | null>} */
const NAMES = {
  id: ({ _id }) => _id,
  operation: ({ workspace_id, operation_id }) => `${workspace_id} ${operation_id}`,
  claim: ({ workspace_id, claim }) => (claim === undefined ? null : `${workspace_id} ${claim}`),
  external_id: ({ wallet_id, type, external_id, source_type: source }) =>
    external_id === null || source === 'refund' ? null : `${wallet_id} ${type} ${external_id}`,
  'reversal of an entry': ({ type, source_type, source_id }) =>
    type === 'cancel' && source_type === 'cancel' ? source_id : null,
  'refund of a spend': ({ type, source_type, source_id, amount }) =>
    type === 'cancel' && source_type === 'refund' && amount > 0 ? source_id : null,
  'capture of a hold': ({ source_type, source_id }) =>
    source_type === 'capture' ? source_id : null,
  'release of a hold': ({ source_type, source_id }) =>
    source_type === 'release' ? source_id : null,
};

/**
 * L11: an operation, an external_id, a reversal, a capture, a release: each stands in the log once.
 *
 * @param {World} world
 */
export function operationsTookEffectOnce(world) {
  const found = finding();
  for (const [what, nameIn] of Object.entries(NAMES)) {
    const named = world.entries.filter((entry) => nameIn(entry) !== null);
    for (const [name, entries] of groupBy(named, (entry) => String(nameIn(entry))))
      found.must(entries.length === 1, () => `${what} ${name} stands in ${entries.length} entries`);
  }
  return found;
}

/**
 * L12: each transfer_out has its transfer_in of the same points, in the same workspace and wallet type, with the
 * expiries of the lots it took; nothing is made or lost on the way.
 *
 * @param {World} world
 */
export function transfersBalance(world) {
  const found = finding();
  const byId = new Map(world.entries.map((entry) => [entry._id, entry]));
  for (const entry of world.entries) {
    if (entry.counterpart === null) {
      found.must(!entry.type.startsWith('transfer_'), () => `${nameOf(entry)} has no other side`);
      continue;
    }
    const other = byId.get(entry.counterpart.entry_id);
    found.must(
      other !== undefined &&
        other.counterpart?.entry_id === entry._id &&
        other.amount === -entry.amount &&
        other.workspace_id === entry.workspace_id &&
        other.wallet_type_id === entry.wallet_type_id &&
        other.client_id === entry.counterpart.client_id &&
        other.wallet_id !== entry.wallet_id,
      () => `${nameOf(entry)} and its other side do not agree`,
    );
    if (entry.type === 'transfer_in' && other && entry.source_type === 'transfer')
      found.must(keepsExpiries(entry, other), () => `${nameOf(entry)} has lots of other expiries`);
  }
  const byType = groupBy([...logsOf(world).values()], ([first]) => String(first?.wallet_type_id));
  for (const [type, logs] of byType) {
    const moved = logs.reduce((sum, log) => sum + (log.at(-1)?.after.moved ?? 0), 0);
    found.must(moved === 0, () => `transfers of wallet type ${type} made ${moved} units`);
  }
  return found;
}

/**
 * What fills a hole below zero becomes no lot; every lot that does arise has the expiry of one that was taken from.
 *
 * @param {Entry} into
 * @param {Entry} out
 */
function keepsExpiries(into, out) {
  const given = new Map();
  for (const { expires_at, amount } of out.consumed)
    given.set(expires_at, (given.get(expires_at) ?? 0) + amount);
  for (const { expires_at, by } of into.lots)
    given.set(expires_at, (given.get(expires_at) ?? 0) - by);
  return [...given.values()].every((left) => left >= 0);
}
