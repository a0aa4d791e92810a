import { type ExportedEntry, FIGURES } from './types';

const BODY_TEXTS = [
  '_id',
  'workspace_id',
  'wallet_id',
  'client_id',
  'operation_id',
  'type',
  'source_type',
  'note_digest',
  'created_at',
];

type Json = Record<string, unknown>;

/** One line of an export; null when it has not the shape of an entry, so that nothing can be said of it. */
export function parseEntry(line: string): ExportedEntry | null {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  return isObject(entry) && isEntry(entry) ? (entry as unknown as ExportedEntry) : null;
}

function isEntry({ body, prev_hash, hash, note }: Json): boolean {
  return (
    typeof prev_hash === 'string' &&
    typeof hash === 'string' &&
    (note === null || (isObject(note) && typeof note.salt === 'string')) &&
    isObject(body) &&
    isBody(body)
  );
}

function isBody(body: Json): boolean {
  const { sequence, amount, change, after, lots, consumed, holds } = body;
  return (
    BODY_TEXTS.every((name) => typeof body[name] === 'string') &&
    Number.isInteger(sequence) &&
    typeof amount === 'number' &&
    isFigures(change) &&
    isFigures(after) &&
    isListOfObjects(lots) &&
    isListOfObjects(consumed) &&
    isListOfObjects(holds) &&
    holds.every(({ parts }) => isListOfObjects(parts))
  );
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOfObjects = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.every(isObject);
const isFigures = (value: unknown): boolean =>
  isObject(value) && FIGURES.every((name) => typeof value[name] === 'number');
