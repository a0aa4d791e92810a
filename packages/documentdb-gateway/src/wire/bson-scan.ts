/**
 * Reads the top level of BSON documents without decoding what lies below: the gateway needs a handful of fields of
 * each command and hands on the rest as it is.
 */

/** One element of a document. `start` is the offset of its type byte, `value` of its value, `end` behind it. */
export interface Element {
  type: number;
  name: string;
  start: number;
  value: number;
  end: number;
}

/** The bytes are not a BSON document. */
export class MalformedBson extends Error {
  constructor(reason: string) {
    super(`Malformed BSON: ${reason}`);
    this.name = 'MalformedBson';
  }
}

/** BSON element types that the gateway tells apart. */
export const BsonType = {
  double: 0x01,
  string: 0x02,
  document: 0x03,
  array: 0x04,
  binary: 0x05,
  bool: 0x08,
  int32: 0x10,
  int64: 0x12,
} as const;

const MIN_DOCUMENT_BYTES = 5;
const FIXED_BYTES: Record<number, number> = {
  1: 8, // double
  6: 0, // undefined
  7: 12, // ObjectId
  8: 1, // boolean
  9: 8, // date
  10: 0, // null
  16: 4, // int32
  17: 8, // timestamp
  18: 8, // int64
  19: 16, // decimal128
  127: 0, // max key
  255: 0, // min key
};

/**
 * Walks the top level of a document.
 * @param bytes exactly one document
 * @throws MalformedBson on lengths that lead outside of it
 */
export function* elements(bytes: Buffer): Generator<Element> {
  const last = checkedLength(bytes) - 1;
  for (let start = 4; start < last; ) {
    const type = bytes[start] as number;
    const nameEnd = bytes.indexOf(0, start + 1);
    if (nameEnd < 0 || nameEnd >= last) throw new MalformedBson('unterminated field name');
    const value = nameEnd + 1;
    const name = bytes.toString('latin1', start + 1, nameEnd);
    const element: Element = { type, name, start, value, end: value };
    element.end += valueBytes(bytes, element, last);
    const { end } = element;
    if (end > last) throw new MalformedBson(`field of type ${type} leads outside of the document`);
    yield element;
    start = end;
  }
}

/** @returns the text of a string element; undefined for other types */
export function readString(bytes: Buffer, element: Element): string | undefined {
  if (element.type !== BsonType.string) return undefined;
  return bytes.toString('utf8', element.value + 4, element.end - 1);
}

/** @returns the value of a numeric element as a bigint (fractions cut); undefined for other types */
export function readInteger(bytes: Buffer, element: Element): bigint | undefined {
  if (element.type === BsonType.int32) return BigInt(bytes.readInt32LE(element.value));
  if (element.type === BsonType.int64) return bytes.readBigInt64LE(element.value);
  if (element.type !== BsonType.double) return undefined;
  const value = bytes.readDoubleLE(element.value);
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
}

/** @returns whether an element is true, or a number that is not zero */
export function readTruth(bytes: Buffer, element: Element): boolean {
  if (element.type === BsonType.bool) return bytes[element.value] === 1;
  return (readInteger(bytes, element) ?? 0n) !== 0n;
}

/** @returns the bytes of an embedded document or array; undefined for other types */
export function readEmbedded(bytes: Buffer, element: Element): Buffer | undefined {
  if (element.type !== BsonType.document && element.type !== BsonType.array) return undefined;
  return bytes.subarray(element.value, element.end);
}

/**
 * Puts elements of a document together to a new one, byte for byte.
 * @param parts whole elements, type byte first
 */
export function assemble(parts: readonly Buffer[]): Buffer {
  const total = parts.reduce((sum, part) => sum + part.length, MIN_DOCUMENT_BYTES);
  const document = Buffer.allocUnsafe(total);
  let at = document.writeInt32LE(total, 0);
  for (const part of parts) at += part.copy(document, at);
  document[at] = 0;
  return document;
}

/**
 * Cuts a run of documents, as a document sequence holds them, into its documents.
 * @throws MalformedBson
 */
export function* splitSequence(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.length - at < MIN_DOCUMENT_BYTES ? 0 : bytes.readInt32LE(at);
    if (length < MIN_DOCUMENT_BYTES || at + length > bytes.length) {
      throw new MalformedBson('document sequence with a wrong length');
    }
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

function checkedLength(bytes: Buffer): number {
  const length = bytes.length < MIN_DOCUMENT_BYTES ? -1 : bytes.readInt32LE(0);
  if (length !== bytes.length || bytes[length - 1] !== 0) throw new MalformedBson('wrong length');
  return length;
}

function valueBytes(bytes: Buffer, { type, value: at }: Element, last: number): number {
  const fixed = FIXED_BYTES[type];
  if (fixed !== undefined) return fixed;
  if (type === 11)
    return (
      cstringBytes(bytes, at + cstringBytes(bytes, at, last), last) + cstringBytes(bytes, at, last)
    );
  if (at + 4 > last) throw new MalformedBson('cut length');
  const length = bytes.readInt32LE(at);
  if (length < 0) throw new MalformedBson('negative length');
  if (type === 3 || type === 4 || type === 15) return Math.max(length, MIN_DOCUMENT_BYTES); // documents, code with scope
  if (type === 5) return 5 + length; // binary: length, subtype, bytes
  if (type === 2 || type === 13 || type === 14) return 4 + Math.max(length, 1); // string, code, symbol
  if (type === 12) return 4 + length + 12; // DBPointer
  throw new MalformedBson(`unknown type ${type}`);
}

function cstringBytes(bytes: Buffer, at: number, last: number): number {
  const end = bytes.indexOf(0, at);
  if (end < 0 || end >= last) throw new MalformedBson('unterminated regular expression');
  return end - at + 1;
}
