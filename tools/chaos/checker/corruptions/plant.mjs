// How harm is done to a copy of what was found: one row is changed, dropped or doubled, the rest stays as it is.
import { logsOf } from '../world.mjs';

/** @typedef {import('../world.mjs').World} World */
/** @typedef {import('../world.mjs').Entry} Entry */
/**
 * @typedef {{ name: string, caughtBy: string, plant: (world: World) => Partial<World> | null }} Corruption `plant` returns
 *   the parts that change, or null where the world has nothing of the kind
 */

/**
 * A list with its first fitting row replaced; null without one.
 *
 * @template T
 * @param {readonly T[]} rows
 * @param {(row: T) => boolean} fits
 * @param {(row: T) => T | T[]} edit
 * @returns {T[] | null}
 */
function editFirst(rows, fits, edit) {
  const position = rows.findIndex(fits);
  if (position < 0) return null;
  const edited = edit(/** @type {T} */ (rows[position]));
  return [
    ...rows.slice(0, position),
    ...(Array.isArray(edited) ? edited : [edited]),
    ...rows.slice(position + 1),
  ];
}

/** @template {keyof World} K @param {K} name @param {any} rows @returns {Partial<World> | null} */
const put = (name, rows) => (rows === null ? null : /** @type {any} */ ({ [name]: rows }));

/**
 * @template {keyof World} K
 * @param {K} list
 * @param {(row: any, world: World) => boolean} fits
 * @param {(row: any, world: World) => any} change
 * @returns {(world: World) => Partial<World> | null}
 */
export const change = (list, fits, change) => (world) =>
  put(
    list,
    editFirst(
      /** @type {any[]} */ (world[list]),
      (row) => fits(row, world),
      (row) => change(row, world),
    ),
  );
/** @param {keyof World} list @param {(row: any, world: World) => boolean} fits */
export const drop = (list, fits) => change(list, fits, () => []);
/** @param {keyof World} list @param {(row: any, world: World) => boolean} fits */
export const twice = (list, fits) => change(list, fits, (row) => [row, row]);

export const any = () => true;
export const ofType =
  (/** @type {string[]} */ ...types) =>
  (/** @type {Entry} */ { type }) =>
    types.includes(type);
export const fromSource = (/** @type {string} */ source) => (/** @type {Entry} */ entry) =>
  entry.source_type === source;
export const ofKind = (/** @type {string} */ kind) => (/** @type {any} */ operation) =>
  operation.kind === kind && operation.outcome === 'ok';
const lengthOf = (/** @type {World} */ world, /** @type {Entry} */ { wallet_id }) =>
  logsOf(world).get(wallet_id)?.length ?? 0;
export const isLast = (/** @type {Entry} */ entry, /** @type {World} */ world) =>
  entry.sequence === lengthOf(world, entry);
/** Some entries only end or mark something; without them the sums are the same. */
export const moves = (/** @type {Entry} */ { change: figures }) =>
  Object.values(figures).some((figure) => figure !== 0);
export const isInside = (/** @type {Entry} */ entry, /** @type {World} */ world) =>
  entry.sequence > 1 && !isLast(entry, world);
export const takes = (/** @type {Entry} */ entry) =>
  ofType('spend', 'lock', 'transfer_out')(entry) &&
  entry.consumed.length > 0 &&
  entry.lots.length > 0;
/** The same entry once more, at the end of its log. @param {Entry} entry @param {World} world */
export const again = (entry, world) => [
  entry,
  {
    ...entry,
    _id: `${entry._id}-again`,
    operation_id: `${entry.operation_id}-again`,
    sequence: lengthOf(world, entry) + 1,
  },
];
