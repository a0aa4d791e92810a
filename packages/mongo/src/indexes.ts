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
  growth?: Growth;
}

/** Creates whatever indexes are missing. Safe on any number of replicas starting together. */
export async function ensureIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<void> {
  for (const { collection, indexes } of collections) {
    if (indexes.length > 0)
      await connection.collection(collection).createIndexes(indexes.map(toDriver));
  }
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
    const present = await connection
      .collection(collection)
      .listIndexes()
      .toArray()
      .catch(() => []);
    const names = new Set(present.map((index: { name?: string }) => index.name));
    missing.push(
      ...required
        .filter((index) => !names.has(index.name))
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
