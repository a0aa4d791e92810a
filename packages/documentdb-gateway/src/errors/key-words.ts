import type { Binary, BSONRegExp, Document, Double, Timestamp } from 'bson';

const UUID_SUBTYPE = 4;

/**
 * @param key with its numbers as they are kept (`promoteValues: false`), for MongoDB tells 1 from 1.0
 * @returns the key as MongoDB words it in its errors, in the notation of its shell: `{ email: "a@b.c", n: 1.0 }`
 */
export function wordsOfKey(key: Document): string {
  const parts = Object.entries(key).map(([name, value]) => `${name}: ${wordsOf(value)}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}';
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    return value.length > 0 ? `[ ${value.map(wordsOf).join(', ')} ]` : '[]';
  }
  if (typeof value === 'string') return `"${value}"`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value === null || typeof value !== 'object') return String(value);
  const words = WORDS[(value as { _bsontype?: string })._bsontype ?? ''];
  return words ? words(value as never) : wordsOfKey(value);
}

const plainly = (value: object): string => value.toString();

/** By the name that the BSON library gives the kind. */
const WORDS: Record<string, (value: never) => string> = {
  Int32: plainly,
  Long: plainly,
  Decimal128: plainly,
  Double: ({ value }: Double) => (Number.isInteger(value) ? `${value}.0` : String(value)),
  ObjectId: (value: object) => `ObjectId('${value}')`,
  Binary: wordsOfBinary,
  Timestamp: ({ t, i }: Timestamp) => `Timestamp(${t}, ${i})`,
  BSONRegExp: ({ pattern, options }: BSONRegExp) => `/${pattern}/${options}`,
  MinKey: () => 'MinKey',
  MaxKey: () => 'MaxKey',
};

function wordsOfBinary(binary: Binary): string {
  const hex = binary.toString('hex');
  if (binary.sub_type !== UUID_SUBTYPE) return `BinData(${binary.sub_type}, ${hex.toUpperCase()})`;
  return `UUID("${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}")`;
}
