import { type Document, deserialize } from 'bson';
import { EngineError } from '../engine/failure';
import type { Run } from '../session/transaction';
import type { Command } from '../wire/command';
import { Codes, codeOfState } from './codes';
import { CommandError } from './command-error';

/** Looks up the key pattern of an index by its name. */
const KEY_OF_INDEX = {
  name: 'index_key',
  sql: `select (i.index_spec).index_key
          from documentdb_api_catalog.collection_indexes i
          join documentdb_api_catalog.collections c using (collection_id)
         where c.database_name = $1 and c.collection_name = $2 and (i.index_spec).index_name = $3`,
};

const INDEX_IN_MESSAGE = /Index '([^']*)'/;

/** What MongoDB says about a duplicate key. `keyValue` is only known where the document is at hand. */
export interface Duplicate {
  errmsg: string;
  keyPattern?: Document;
  keyValue?: Document;
}

/**
 * Puts the engine's words about a duplicate key into MongoDB's.
 * @param run a connection that is not in a failed transaction
 * @param message the engine's
 * @param document the one that was refused, if it is known
 */
export async function describeDuplicate(
  run: Run,
  command: Command,
  message: string,
  document?: Document,
): Promise<Duplicate> {
  const index = INDEX_IN_MESSAGE.exec(message)?.[1];
  const namespace = `${command.db}.${command.target}`;
  if (!index) return { errmsg: `E11000 duplicate key error collection: ${namespace} (${message})` };
  const keyPattern = await keyOfIndex(run, command, index);
  const keyValue = keyPattern && document ? pick(document, keyPattern) : undefined;
  const key = keyValue ? ` dup key: ${JSON.stringify(keyValue)}` : '';
  const errmsg = `E11000 duplicate key error collection: ${namespace} index: ${index}${key}`;
  return { errmsg, ...(keyPattern && { keyPattern }), ...(keyValue && { keyValue }) };
}

/** @returns the error to answer with when a whole command was refused for a duplicate key; undefined for other errors */
export async function duplicateError(
  run: Run,
  command: Command,
  error: unknown,
): Promise<CommandError | undefined> {
  if (!(error instanceof EngineError) || codeOfState(error.sqlstate) !== Codes.duplicateKey)
    return undefined;
  const { errmsg, ...details } = await describeDuplicate(run, command, error.message);
  return new CommandError(Codes.duplicateKey, errmsg, [], details);
}

async function keyOfIndex(
  run: Run,
  { db, target }: Command,
  index: string,
): Promise<Document | undefined> {
  if (index === '_id_') return { _id: 1 };
  const [rows] = await run([{ ...KEY_OF_INDEX, parameters: [db, target, index] }]);
  const key = rows?.[0]?.[0];
  return key ? deserialize(key) : undefined;
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
  return value !== null && typeof value === 'object'
    ? valueAt((value as Document)[name], rest)
    : undefined;
}
