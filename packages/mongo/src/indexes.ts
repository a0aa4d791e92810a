import { isDeepStrictEqual } from 'node:util';
import type { Connection } from 'mongoose';
import type { Growth } from './growth';

export interface IndexSpec {
  key: Readonly<Record<string, 1 | -1>>;
  name: string;
  unique?: boolean;
  expireAfterSeconds?: number;
  partialFilterExpression?: Readonly<Record<string, unknown>>;
}

export interface CollectionIndexes {
  collection: string;
  indexes: readonly IndexSpec[];
  /** Names of indexes that an earlier release had: what is dropped when none of it runs any more. None of them comes back. */
  retired?: readonly string[];
  growth?: Growth;
}

/**
 * Building one reads the whole collection before it is answered. The driver takes a bound with each command (7.8.0,
 * `Connection.sendWire`), which its types do not say.
 */
const HOWEVER_LONG: object = { socketTimeoutMS: 0 };

export type PresentIndex = Record<string, unknown> & { name: string; key: Record<string, number> };

/**
 * Creates whatever indexes are missing. Safe on any number of replicas starting together. One that is there under another
 * name is left as it is: no server takes it a second time.
 */
export async function ensureIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<void> {
  const there = await collectionsOf(connection);
  for (const { collection, indexes } of collections) {
    if (indexes.length === 0) continue;
    const present = there.has(collection) ? await indexesOf(connection, collection) : [];
    const wanted = indexes.filter((index) => {
      const found = presentAs(index, present);
      return !found || found.name === index.name;
    });
    if (wanted.length > 0)
      await connection.collection(collection).createIndexes(wanted.map(toDriver), HOWEVER_LONG);
  }
}

/** One question, so that a new database is not asked about each collection that it does not have. */
async function collectionsOf(connection: Connection): Promise<Set<string>> {
  const found = await connection.db!.listCollections({}, { nameOnly: true }).toArray();
  return new Set(found.map(({ name }) => name));
}

/** Names the unique indexes that are not there: correctness rests on them, so a service without them is not ready. */
export async function missingUniqueIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const { collection, indexes } of collections) {
    const required = indexes.filter((index) => index.unique);
    if (required.length === 0) continue;
    const present = await indexesOf(connection, collection);
    missing.push(
      ...required
        .filter((index) => !presentAs(index, present))
        .map((index) => `${collection}.${index.name}`),
    );
  }
  return missing;
}

function toDriver(index: IndexSpec) {
  return {
    ...index,
    key: { ...index.key },
    ...(index.partialFilterExpression
      ? { partialFilterExpression: { ...index.partialFilterExpression } }
      : {}),
  };
}

/** None where there is no such collection yet. */
export async function indexesOf(
  connection: Connection,
  collection: string,
): Promise<PresentIndex[]> {
  const found = await connection
    .collection(collection)
    .listIndexes()
    .toArray()
    .catch((error: { codeName?: string; code?: number }) => {
      if (error.code === NAMESPACE_NOT_FOUND) return [];
      throw error;
    });
  return found as unknown as PresentIndex[];
}

const NAMESPACE_NOT_FOUND = 26;

/** What is there under the name of an index, whatever it is, else what is the same index under another name. */
export const presentAs = (index: IndexSpec, present: readonly PresentIndex[]) =>
  present.find(({ name }) => name === index.name) ??
  present.find((found) => isSameIndex(found, index));

export const isSameIndex = (one: IndexSpec | PresentIndex, other: IndexSpec | PresentIndex) =>
  isDeepStrictEqual(shapeOf(one), shapeOf(other));

/** What an index is, apart from its name and the server's own notes on it; the order of its key counts. */
function shapeOf(index: IndexSpec | PresentIndex) {
  const { key, unique, expireAfterSeconds, partialFilterExpression } = index as IndexSpec;
  return {
    key: Object.entries(key).map(([field, order]) => [field, Number(order)]),
    unique: unique === true,
    expireAfterSeconds: expireAfterSeconds === undefined ? null : Number(expireAfterSeconds),
    partialFilterExpression: partialFilterExpression ?? null,
  };
}
