import { invalidField, type Json } from '@laurel/errors';

/** Packs the position after the last row of a page into an opaque string. */
export function encodeCursor(position: Json): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Unpacks a cursor; a string that no page gave out is refused as INVALID_PAYLOAD on `cursor`. */
export function decodeCursor<T extends Json>(
  cursor: string,
  isPosition: (value: unknown) => value is T,
): T {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isPosition(position)) return position;
  } catch {
    // Falls through to the refusal: what cannot be parsed was not given out either.
  }
  throw invalidField('cursor', 'cursor is not one that a page of this list gave out');
}
