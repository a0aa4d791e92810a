import type { Json } from '@laurel/errors';
import { cutPage, decodeCursor } from '@laurel/mongo';

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

/** What matches, before it is sorted and cut to a page: a cursor of the driver. */
export interface Matches<R extends Row> {
  sort(columns: Record<string, 1 | -1>): Matches<R>;
  skip(count: number): Matches<R>;
  limit(count: number): Matches<R>;
  toArray(): Promise<R[]>;
}

/** The sort as MongoDB takes it. */
function sortStages({ column, descending }: Sort): Record<string, 1 | -1> {
  const direction = descending ? -1 : 1;
  return column === '_id' ? { _id: direction } : { [column]: direction, _id: direction };
}

/**
 * What comes after the cursor's position, in parts to be read one after the other. Each is one range of an index
 * that the sort follows, so that a page costs what is on it, however deep it lies.
 */
function partsAfter(cursor: string, sort: Sort): Filter[] {
  const { value: packed, id } = decodeCursor(cursor, (candidate) => isPosition(candidate, sort));
  const { column, descending } = sort;
  const beyond = descending ? '$lt' : '$gt';
  if (column === '_id') return [{ _id: { [beyond]: id } }];
  const value = unpack(packed);
  const tie = { [column]: value, _id: { [beyond]: id } };
  // null sorts before everything: after it when ascending come all others, when descending none.
  if (value === null) return descending ? [tie] : [tie, { [column]: { $ne: null } }];
  const later = { [column]: { [beyond]: value } };
  return descending ? [tie, later, { [column]: null }] : [tie, later];
}

function positionOf(row: Row, sort: Sort): Json {
  const value = pack((row as unknown as Filter)[sort.column]);
  return { sort: sortName(sort), value, id: row._id };
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

/**
 * Reads one page of a list. `find` opens what is in the list and matches besides.
 * A cursor that this list did not give out is refused as INVALID_PAYLOAD.
 */
export async function readPage<R extends Row>(
  find: (matching: Filter) => Matches<R>,
  sort: Sort,
  { limit, offset, cursor }: PageRequest,
): Promise<{ rows: R[]; nextCursor: string | null }> {
  const read = (part: Filter, skip: number, count: number) =>
    find(part).sort(sortStages(sort)).skip(skip).limit(count).toArray();
  const found: R[] = [];
  if (cursor === undefined) found.push(...(await read({}, offset, limit + 1)));
  for (const part of cursor === undefined ? [] : partsAfter(cursor, sort)) {
    if (found.length > limit) break;
    found.push(...(await read(part, 0, limit + 1 - found.length)));
  }
  return cutPage(found, limit, (last) => positionOf(last, sort));
}
