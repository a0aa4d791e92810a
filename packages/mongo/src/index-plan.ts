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
  /** There and retired: of an earlier release, to be dropped once none of it runs any more. */
  left: NamedIndex[];
  /** There and unknown here: of a later release, whose guards they may be, or an administrator's own. */
  others: NamedIndex[];
}

/** Compares without changing anything. Collections that the service does not declare are not looked at. */
export async function planIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<IndexPlan> {
  const plan: IndexPlan = { missing: [], changed: [], left: [], others: [] };
  for (const [collection, { declared, retired }] of byCollection(collections)) {
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
    for (const index of present.filter(({ name }) => !known.has(name)))
      plan[retired.has(index.name) ? 'left' : 'others'].push(named(index));
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

/**
 * Drops what is retired, and nothing that is only unknown here: a checkout of one release may be used on what a later one
 * has built. Not while an earlier release runs that declares it.
 */
export async function pruneIndexes(
  connection: Connection,
  collections: readonly CollectionIndexes[],
): Promise<IndexPlan> {
  const plan = await planIndexes(connection, collections);
  for (const { collection, name } of plan.left)
    await connection.collection(collection).dropIndex(name);
  return plan;
}

interface OfCollection {
  declared: IndexSpec[];
  retired: Set<string>;
}

/** One collection may be declared in several places. */
function byCollection(collections: readonly CollectionIndexes[]): Map<string, OfCollection> {
  const all = new Map<string, OfCollection>();
  for (const { collection, indexes, retired = [] } of collections) {
    const before = all.get(collection) ?? { declared: [], retired: new Set() };
    all.set(collection, {
      declared: [...before.declared, ...indexes],
      retired: new Set([...before.retired, ...retired]),
    });
  }
  return all;
}
