import { complaintAboutTexts, invalidField, type Json } from '@laurel/errors';

/** Packs the position after the last row of a page into an opaque string. */
export function encodeCursor(position: Json): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Cuts a page from rows that were read with one more than its limit, and packs the position of its last row where more
 * follows: no cursor leads to a page with nothing on it.
 */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  positionOf: (last: Row) => Json,
): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last === undefined ? null : encodeCursor(positionOf(last)) };
}

/** Unpacks a cursor; a string that no page gave out is refused as INVALID_PAYLOAD on `cursor`. */
export function decodeCursor<T extends Json>(
  cursor: string,
  isPosition: (value: unknown) => value is T,
): T {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    // A text that no store takes stands in no row.
    if (isPosition(position) && complaintAboutTexts(position) === null) return position;
  } catch {
    // Falls through to the refusal: what cannot be parsed was not given out either.
  }
  throw invalidField('cursor', 'cursor is not one that a page of this list gave out');
}

const TIME_MAX = 8.64e15;

/** Whether a member of a position can be the time of a row, in milliseconds. */
export const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Math.abs(value as number) <= TIME_MAX;
