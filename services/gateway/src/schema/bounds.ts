import { isUtf8 } from 'node:buffer';

/** How many members all arrays and objects of a body have together, unless its route says otherwise (part 4, section 1). */
export const BODY_MEMBERS_MAX = 10_000;
/** The same for a sender who has not signed in: a form has no more. */
export const OPEN_MEMBERS_MAX = 1_000;
/** For bodies that are one list of 10 000 ids or codes, and what stands beside it. */
export const LIST_MEMBERS_MAX = 11_000;
/** For batches of 1 000 operations with their metadata. */
export const BATCH_MEMBERS_MAX = 50_000;
const DEPTH_MAX = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/**
 * What is too much about a body, or null, seen from its bytes: a text of 1 MiB holds half a million members, and to
 * parse and check those takes seconds that all other callers would wait. Bytes that are no UTF-8 would be read as something
 * else than was sent.
 */
export function complaintAboutBytes(json: Buffer, membersMax: number): string | null {
  if (!isUtf8(json)) return 'is not UTF-8';
  let members = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!;
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === COMMA) members += 1;
    else if (byte === BRACE || byte === BRACKET) {
      members += 1;
      depth += 1;
      // The body itself is no level of what it holds.
      if (depth > DEPTH_MAX + 1) return `is nested deeper than ${DEPTH_MAX} levels`;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
    if (members > membersMax) return `has more than ${membersMax} members`;
  }
  return null;
}

/**
 * Where the text that opens at a place has its closing quote; the end of the body where it has none. A search finds the
 * quote of a long text forty times as fast as a loop, but costs the loop's time again at each quote that is escaped.
 */
function endOfText(json: Buffer, opening: number): number {
  const quote = json.indexOf(QUOTE, opening + 1);
  if (quote < 0) return json.length;
  if (json[quote - 1] !== BACKSLASH) return quote;
  for (let at = opening + 1; at < json.length; at += 1) {
    const byte = json[at]!;
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at;
  }
  return json.length;
}

/** How much Joi would have to say something about. */
export function sizeOf(value: unknown): { members: number; characters: number } {
  if (typeof value === 'string') return { members: 0, characters: value.length };
  if (typeof value !== 'object' || value === null) return { members: 0, characters: 0 };
  const size = { members: 0, characters: 0 };
  for (const [key, member] of Object.entries(value)) {
    const inner = sizeOf(member);
    size.members += inner.members + 1;
    size.characters += inner.characters + key.length;
  }
  return size;
}
