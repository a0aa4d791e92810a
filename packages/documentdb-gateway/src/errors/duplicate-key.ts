import { type Document, deserialize } from 'bson';
import { EngineError } from '../engine/failure';
import type { Run } from '../session/transaction';
import type { Command } from '../wire/command';
import { Codes, codeOfState } from './codes';
import { CommandError, isRetryable } from './command-error';
import { wordsOfKey } from './key-words';

const INDEX_COLUMNS =
  'select (i.index_spec).index_name, (i.index_spec).index_key from documentdb_api_catalog.collection_indexes i';
const INDEX_BY_NAME = {
  name: 'index_by_name',
  sql: `${INDEX_COLUMNS} join documentdb_api_catalog.collections c using (collection_id)
         where c.database_name = $1 and c.collection_name = $2 and (i.index_spec).index_name = $3`,
};
const INDEX_BY_ID = { name: 'index_by_id', sql: `${INDEX_COLUMNS} where i.index_id = $1::int` };

/** How the engine names an index: in its own words, or by the constraint that PostgreSQL reports. */
const INDEX_IN_MESSAGE = /Index '([^']*)'/;
const SECONDARY_CONSTRAINT = /"documents_rum_index_(\d+)"/;
const ID_CONSTRAINT = /"collection_pk_\d+"/;
/** PostgreSQL's detail begins with the refused document; of the index on _id, with shard and `{ '': _id }`. */
const REFUSED_DOCUMENT = /=\(BSONHEX([0-9a-f]+)/;
const REFUSED_ID = /^Key \(shard_key_value, object_id\)=\(-?\d+, BSONHEX([0-9a-f]+)\)/;

/** What MongoDB says about a duplicate key. `keyValue` is only known where the document is at hand. */
export interface Duplicate {
  errmsg: string;
  keyPattern?: Document;
  keyValue?: Document;
}

interface Index {
  name: string;
  key: Document;
}

/** What the engine refused. */
interface Refused {
  /** In its words. */
  message: string;
  /** If it is known: as `readRefused` reads it. */
  document: Document | undefined;
}

/** Reads a document that was refused, with its numbers of the kind that they are kept as. */
export function readRefused(bytes: Uint8Array): Document {
  return deserialize(bytes, { promoteValues: false, bsonRegExp: true });
}

/**
 * Puts the engine's words about a duplicate key into MongoDB's.
 * @param run a connection that is not in a failed transaction
 */
export async function describeDuplicate(
  run: Run,
  command: Command,
  { message, document }: Refused,
): Promise<Duplicate> {
  const index = await findIndex(run, command, message);
  const namespace = `${command.db}.${command.target}`;
  if (!index) return { errmsg: `E11000 duplicate key error collection: ${namespace} (${message})` };
  const keyPattern = index.key;
  const keyValue = document && pick(document, keyPattern);
  const key = keyValue ? ` dup key: ${wordsOfKey(keyValue)}` : '';
  const errmsg = `E11000 duplicate key error collection: ${namespace} index: ${index.name}${key}`;
  return { errmsg, keyPattern, ...(keyValue && { keyValue }) };
}

/** @returns the error to answer with when a whole command was refused for a duplicate key; undefined for other errors */
export async function duplicateError(
  run: Run,
  command: Command,
  error: unknown,
): Promise<CommandError | undefined> {
  if (!(error instanceof EngineError) || isRetryable(error)) return undefined;
  if (codeOfState(error.sqlstate) !== Codes.duplicateKey) return undefined;
  const { errmsg, ...details } = await describeDuplicate(run, command, {
    message: error.message,
    document: refusedIn(error.detail),
  });
  return new CommandError(Codes.duplicateKey, errmsg, { details });
}

function refusedIn(detail: string): Document | undefined {
  const id = REFUSED_ID.exec(detail)?.[1];
  if (id) return { _id: readRefused(Buffer.from(id, 'hex'))[''] };
  const document = REFUSED_DOCUMENT.exec(detail)?.[1];
  return document ? readRefused(Buffer.from(document, 'hex')) : undefined;
}

async function findIndex(
  run: Run,
  { db, target }: Command,
  message: string,
): Promise<Index | undefined> {
  const name = INDEX_IN_MESSAGE.exec(message)?.[1];
  if (name === '_id_' || ID_CONSTRAINT.test(message)) return { name: '_id_', key: { _id: 1 } };
  const id = SECONDARY_CONSTRAINT.exec(message)?.[1];
  if (!name && !id) return undefined;
  const statement = id
    ? { ...INDEX_BY_ID, parameters: [id] }
    : { ...INDEX_BY_NAME, parameters: [db, target, name as string] };
  const [rows] = await run([statement]);
  const [foundName, key] = rows?.[0] ?? [];
  return foundName && key ? { name: foundName.toString(), key: deserialize(key) } : undefined;
}

function pick(document: Document, pattern: Document): Document {
  const fields = Object.keys(pattern).map((path) => [
    path,
    valueAt(document, path.split('.')) ?? null,
  ]);
  return Object.fromEntries(fields);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    return /^\d+$/.test(name)
      ? valueAt(value[Number(name)], rest)
      : value.map((item) => valueAt(item, path))[0];
  }
  return isDocument(value) ? valueAt(value[name], rest) : undefined;
}

/** No date, id, number or other value that JavaScript only knows as an object. */
function isDocument(value: unknown): value is Document {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
