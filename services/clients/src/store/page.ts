import { createHash } from 'node:crypto';
import { invalidField, type Json } from '@laurel/errors';
import { cutPage, decodeCursor, isTime } from '@laurel/mongo';

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
  id: string;
  /** Absent where no cursor has room for it, a long text or an object. */
  value?: Value;
  /** Of a value that is absent: how the text begins, and by what the whole is known again. */
  start?: string;
  digest?: string;
}

/** A moment is tagged as such; an object is never said. */
type Value = null | boolean | number | string | { at: number };

/** In bytes of JSON: with the rest of a position it fits into the 500 characters of a cursor that the API takes. */
const VALUE_BYTES_MAX = 200;
/** The columns that hold a moment, or null, wherever they stand. Others may hold one in some lists. */
const MOMENTS: readonly string[] = [
  'date_created',
  'registration_date',
  'marketing_consent_at',
  'event_timestamp',
];
/** The last of all letters: a text that ends with it comes after all that begin as it does. */
const LAST_LETTER = '\u{10FFFF}';
/** So many of those that begin alike are looked through at once for the one text that is meant, and so often. */
const ALIKE_MAX = 100;
const LOOKS_MAX = 10;

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

/** Where the rows of a list are found. */
export interface Listed<R extends Row> {
  /** Opens what is in the list and matches besides. */
  find(matching: Filter): Matches<R>;
  /** The row of the workspace by its id, whether it still is in the list or not. Only where values may be long. */
  row?: (id: string) => Promise<R | null>;
}

/** The sort as MongoDB takes it. */
function sortStages({ column, descending }: Sort): Record<string, 1 | -1> {
  const direction = descending ? -1 : 1;
  return column === '_id' ? { _id: direction } : { [column]: direction, _id: direction };
}

/** Where a cursor points to: its row, and what that is sorted by. */
async function placeOf<R extends Row>(
  cursor: string,
  sort: Sort,
  listed: Listed<R>,
): Promise<{ id: string; value: unknown }> {
  const position = decodeCursor(cursor, (candidate) => isPosition(candidate, sort));
  const { id, value, start, digest } = position;
  if (value !== undefined) return { id, value: unpack(value) };
  const last = await listed.row?.(id);
  if (last && isMeant(sortedValue(last, sort), digest))
    return { id, value: sortedValue(last, sort) };
  if (start === undefined)
    throw invalidField(
      'cursor',
      'cursor stands at a row that changed or is not there any more: read the list from its beginning',
    );
  return { id, value: await textMeant(position, sort, listed) };
}

/**
 * The text that a row had when the cursor was made: it is known again in another row, as of a consent that many gave in the
 * same words. Where no row has it, the list goes on among those that begin alike.
 */
async function textMeant<R extends Row>(
  { start, digest }: Position,
  sort: Sort,
  listed: Listed<R>,
): Promise<unknown> {
  const beyond = `${start}${LAST_LETTER}`;
  let range: Filter = { $gte: start, $lt: beyond };
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const alike = await listed
      .find({ [sort.column]: range })
      .sort(sortStages(sort))
      .limit(ALIKE_MAX)
      .toArray();
    const texts = alike.map((row) => sortedValue(row, sort));
    const meant = texts.find((text) => isMeant(text, digest));
    if (meant !== undefined) return meant;
    if (texts.length < ALIKE_MAX) break;
    // Past all rows of the last text at once, however many have it.
    range = sort.descending
      ? { $gte: start, $lt: texts.at(-1) }
      : { $gt: texts.at(-1), $lt: beyond };
  }
  return sort.descending ? beyond : start;
}

const sortedValue = (row: Row, { column }: Sort): unknown =>
  (row as unknown as Filter)[column] ?? null;

/** Cursors of the release before have no digest: of them the row is believed. */
const isMeant = (value: unknown, digest: string | undefined): boolean =>
  digest === undefined || digestOf(value) === digest;

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);

/**
 * What comes after a place, in parts to be read one after the other. Each is one range of an index that the sort follows,
 * so that a page costs what is on it, however deep it lies.
 */
function partsAfter({ id, value }: { id: string; value: unknown }, sort: Sort): Filter[] {
  const { column, descending } = sort;
  const beyond = descending ? '$lt' : '$gt';
  if (column === '_id') return [{ _id: { [beyond]: id } }];
  const tie = { [column]: { $eq: value }, _id: { [beyond]: id } };
  // null sorts before everything: after it when ascending come all others, when descending none.
  if (value === null) return descending ? [tie] : [tie, { [column]: { $ne: null } }];
  const later = { [column]: { [beyond]: value } };
  return descending ? [tie, later, { [column]: null }] : [tie, later];
}

function positionOf(row: Row, sort: Sort): Json {
  const place = { sort: sortName(sort), id: row._id };
  const whole = sortedValue(row, sort);
  const value = pack(whole);
  if (value !== undefined) return { ...place, value };
  const digest = digestOf(whole);
  return typeof whole === 'string'
    ? { ...place, start: startOf(whole), digest }
    : { ...place, digest };
}

/** As much of the beginning of a text as there is room for, in whole letters. */
function startOf(text: string): string {
  let start = '';
  for (const letter of text) {
    if (sizeOf(start + letter) > VALUE_BYTES_MAX) break;
    start += letter;
  }
  return start;
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function isPosition(candidate: unknown, sort: Sort): candidate is Position & Json {
  const position = candidate as Partial<Position> | null;
  return (
    typeof position === 'object' &&
    position?.sort === sortName(sort) &&
    typeof position.id === 'string' &&
    isTextOrAbsent(position.start) &&
    isTextOrAbsent(position.digest) &&
    (position.value === undefined || isValue(position.value, sort))
  );
}

const isTextOrAbsent = (value: unknown): boolean =>
  value === undefined || typeof value === 'string';

/** Callers write a cursor as they like: what is no plain value would be a condition of the store. */
function isValue(value: unknown, { column }: Sort): boolean {
  if (value === null || isMoment(value)) return true;
  const isPlain = ['boolean', 'number', 'string'].includes(typeof value);
  return isPlain && !MOMENTS.includes(column.split('.').at(-1)!);
}

function isMoment(value: unknown): boolean {
  const { at, ...others } = Object(value);
  return isTime(at) && Object.keys(others).length === 0;
}

function sortName({ column, descending }: Sort): string {
  return descending ? `-${column}` : column;
}

/** What a position says of a value; undefined where its row is to say it. */
function pack(value: unknown): Value | undefined {
  if (value instanceof Date) return { at: value.getTime() };
  const known = value ?? null;
  if (typeof known === 'object' && known !== null) return undefined;
  return sizeOf(known) > VALUE_BYTES_MAX ? undefined : (known as Value);
}

const unpack = (value: Value): unknown =>
  typeof value === 'object' && value !== null ? new Date(value.at) : value;

/** Reads one page of a list. A cursor that this list did not give out is refused as INVALID_PAYLOAD. */
export async function readPage<R extends Row>(
  listed: Listed<R>,
  sort: Sort,
  { limit, offset, cursor }: PageRequest,
): Promise<{ rows: R[]; nextCursor: string | null }> {
  const read = (part: Filter, skip: number, count: number) =>
    listed.find(part).sort(sortStages(sort)).skip(skip).limit(count).toArray();
  const found: R[] = [];
  if (cursor === undefined) found.push(...(await read({}, offset, limit + 1)));
  const place = cursor === undefined ? null : await placeOf(cursor, sort, listed);
  for (const part of place === null ? [] : partsAfter(place, sort)) {
    if (found.length > limit) break;
    found.push(...(await read(part, 0, limit + 1 - found.length)));
  }
  return cutPage(found, limit, (last) => positionOf(last, sort));
}
