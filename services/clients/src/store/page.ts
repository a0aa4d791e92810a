import type { Json } from '@laurel/errors';
import { decodeCursor, encodeCursor } from '@laurel/mongo';

/** How a list is sorted; ties always go by id, in the same direction. */
export interface Sort {
  column: string;
  descending: boolean;
}

export interface PageRequest {
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

interface Position {
  /** The sort the page was made with: a cursor is good for that one only. */
  sort: string;
  value: Json;
  id: string;
  [key: string]: Json;
}

interface Row {
  _id: string;
}

type Filter = Record<string, unknown>;

/** The sort as MongoDB takes it. */
export function sortStages({ column, descending }: Sort): Record<string, 1 | -1> {
  const direction = descending ? -1 : 1;
  return column === '_id' ? { _id: direction } : { [column]: direction, _id: direction };
}

/** The filter that leaves only what comes after the cursor's position. */
export function afterCursor(cursor: string, sort: Sort): Filter {
  const { value: packed, id } = decodeCursor(cursor, (candidate) => isPosition(candidate, sort));
  const { column, descending } = sort;
  const beyond = descending ? '$lt' : '$gt';
  if (column === '_id') return { _id: { [beyond]: id } };
  const value = unpack(packed);
  const tie = { [column]: value, _id: { [beyond]: id } };
  // null sorts before everything: after it when ascending come all others, when descending none.
  if (value === null) return descending ? tie : { $or: [tie, { [column]: { $ne: null } }] };
  const later = { [column]: { [beyond]: value } };
  return { $or: descending ? [tie, later, { [column]: null }] : [tie, later] };
}

/** The cursor after `row`. */
export function cursorAfter(row: Row, sort: Sort): string {
  const value = pack((row as unknown as Filter)[sort.column]);
  return encodeCursor({ sort: sortName(sort), value, id: row._id });
}

function isPosition(candidate: unknown, sort: Sort): candidate is Position {
  const position = candidate as Partial<Position> | null;
  return (
    typeof position === 'object' &&
    position?.sort === sortName(sort) &&
    typeof position.id === 'string' &&
    position.value !== undefined
  );
}

function sortName({ column, descending }: Sort): string {
  return descending ? `-${column}` : column;
}

function pack(value: unknown): Json {
  return value instanceof Date ? { at: value.getTime() } : ((value ?? null) as Json);
}

function unpack(value: Json): unknown {
  const moment = value !== null && typeof value === 'object' && !Array.isArray(value) && value.at;
  return typeof moment === 'number' ? new Date(moment) : value;
}

/** A list longer than this is read from its newest end bit by bit. */
const LONG_LIST = 20_000;
const LONG_LISTS_MAX = 10_000;
const HOUR_MS = 3_600_000;
/** How far back each attempt looks, in hours; the last one looks at everything. */
const LOOK_BACK_HOURS = [1, 16, 256, 4_096];

export interface ListRequest<Row> {
  /** Names the list, so that its length is remembered. */
  key: string;
  count: () => Promise<number>;
  /** Reads the wanted rows among those not older than `from`; null reads among all. */
  read: (from: Date | null) => Promise<Row[]>;
  /** How many rows make the page complete. */
  needed: number;
  /** Moment of the newest row that can be on the page; null where the list is not sorted by time. */
  newest: Date | null;
}

/**
 * Reads pages and totals. An engine that sorts all it matches before it cuts the page off (the local
 * one does) would sort a million rows for the newest fifty: of a list that is known to be long,
 * ever larger ends are tried instead.
 */
export function createListReader() {
  const longLists = new Set<string>();

  return async function readList<Row>(
    request: ListRequest<Row>,
  ): Promise<{ rows: Row[]; total: number }> {
    const { key, count, read, needed, newest } = request;
    const isLong = newest !== null && longLists.has(key);
    const rows = isLong ? readNewest(read, needed, newest) : read(null);
    const [found, total] = await Promise.all([rows, count()]);
    if (longLists.size >= LONG_LISTS_MAX) longLists.clear();
    if (total > LONG_LIST) longLists.add(key);
    else longLists.delete(key);
    return { rows: found, total };
  };
}

async function readNewest<Row>(
  read: (from: Date | null) => Promise<Row[]>,
  needed: number,
  newest: Date,
): Promise<Row[]> {
  for (const hours of LOOK_BACK_HOURS) {
    const rows = await read(new Date(newest.getTime() - hours * HOUR_MS));
    if (rows.length >= needed) return rows;
  }
  return read(null);
}

/** The moment that a cursor of a list sorted by time stands at. */
export function momentOf(cursor: string, sort: Sort): Date {
  const { value } = decodeCursor(cursor, (candidate) => isPosition(candidate, sort));
  return unpack(value) as Date;
}
