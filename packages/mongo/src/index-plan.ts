import type { Connection } from 'mongoose';
import {
  type CollectionIndexes,
  ensureIndexes,
  type IndexSpec,
  indexesOf,
  isSameIndex,
  presentAs,
} from './indexes';

/** An index by where it is and what it is called. */
export interface NamedIndex {
  collection: string;
  name: string;
  unique: boolean;
}

/** What stands between a database and what its service declares. */
export interface IndexPlan {
  /** Declared and not there: to be built before the service that declares them starts. */
  missing: NamedIndex[];
  /** There under this name with another key or condition: an index that changes needs a new name. */
  changed: NamedIndex[];
  /** There and undeclared: of an earlier release, to be dropped once none of it runs any more. */
  left: NamedIndex[];
}

/** Compares without changing anything. Collections that the service does not declare are not looked at. */
export async function planIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<IndexPlan> {
  const plan: IndexPlan = { missing: [], changed: [], left: [] };
  for (const [collection, declared] of byCollection(collections)) {
    const present = await indexesOf(connection, collection);
    const named = ({ name, unique }: { name: string; unique?: unknown }): NamedIndex => ({
      collection,
      name,
      unique: unique === true,
    });
    const known = new Set(['_id_']);
    for (const index of declared) {
      const found = presentAs(index, present);
      known.add(found?.name ?? index.name);
      if (!found) plan.missing.push(named(index));
      else if (!isSameIndex(found, index)) plan.changed.push(named(index));
    }
    plan.left.push(...present.filter(({ name }) => !known.has(name)).map(named));
  }
  return plan;
}

/**
 * Builds what is missing, one collection after the other; safe while services write, and to repeat. Throws before it
 * builds anything where an index was changed under its old name.
 */
export async function applyIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<IndexPlan> {
  const plan = await planIndexes(connection, collections);
  if (plan.changed.length > 0) {
    const names = plan.changed.map(({ collection, name }) => `${collection}.${name}`).join(', ');
    throw new Error(`changed under their old names, which no server does in place: ${names}`);
  }
  const wanted = new Set(plan.missing.map(({ collection }) => collection));
  await ensureIndexes(
    connection,
    collections.filter(({ collection }) => wanted.has(collection)),
  );
  return plan;
}

/** Drops what is no longer declared. Not while an earlier release runs that does. */
export async function pruneIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<NamedIndex[]> {
  const { left } = await planIndexes(connection, collections);
  for (const { collection, name } of left) await connection.collection(collection).dropIndex(name);
  return left;
}

/** One collection may be declared in several places. */
function byCollection(collections: readonly CollectionIndexes[]): Map<string, IndexSpec[]> {
  const all = new Map<string, IndexSpec[]>();
  for (const { collection, indexes } of collections)
    all.set(collection, [...(all.get(collection) ?? []), ...indexes]);
  return all;
}
