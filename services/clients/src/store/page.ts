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
