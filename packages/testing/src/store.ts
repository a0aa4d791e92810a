import { newId } from '@laurel/lifecycle';
import {
  type CollectionIndexes,
  type Connection,
  connectStore,
  ensureIndexes,
} from '@laurel/mongo';
import { testServers } from './servers';
import { Watch } from './watch';

export interface TestStore {
  connection: Connection;
  database: string;
  /** A connection as another process would have it; `drop` closes it. */
  connectAgain(): Promise<Connection>;
  /** Removes what the TTL indexes let the store remove by a time, as its monitor would. */
  expire(now: Date): Promise<void>;
  /** Ends the database and closes every connection to it. */
  drop(): Promise<void>;
}

/** A database whose test is over, and what that has changed. */
interface Left {
  database: string;
  changed: ReadonlySet<string>;
}

/** Jest's; outside of its files there is none. */
declare const afterAll: ((work: () => Promise<void>) => void) | undefined;

/** By the indexes that they have. To make all collections of a service is as much work for the store as a short test. */
const left = new Map<string, Left[]>();
let isFileOver = false;

if (typeof afterAll === 'function')
  afterAll(async () => {
    isFileOver = true;
    for (const { database } of [...left.values()].flat()) await dropDatabase(database);
  });

const connect = (database: string): Promise<Connection> => {
  const uri = new URL(testServers().mongodbUri);
  uri.searchParams.set('monitorCommands', 'true');
  return connectStore({ uri: uri.href, database, poolSize: 32 });
};

async function dropDatabase(database: string): Promise<void> {
  const connection = await connect(database);
  await connection.db?.dropDatabase();
  await connection.close();
}

/**
 * A database of this test's own on the real store, with the given indexes. It may be that of an earlier test of the file
 * that changed nothing but documents, all of which are gone.
 */
export async function testStore(indexes: readonly CollectionIndexes[] = []): Promise<TestStore> {
  const wanted = indexes.map(withoutExpiry);
  const kind = JSON.stringify(wanted);
  const found = left.get(kind)?.pop();
  const database = found?.database ?? `test_${newId().replaceAll('-', '')}`;
  const connection = await connect(database);
  // Emptied rather than made anew: connections of the engine's gateway that knew a collection of this name go on by that.
  if (found) for (const name of found.changed) await connection.collection(name).deleteMany({});
  else await ensureIndexes(connection, wanted);
  const watch = new Watch();
  watch.follow(connection);
  const others: Connection[] = [];
  return {
    connection,
    get database() {
      watch.loseSight();
      return database;
    },
    expire: async (now) => {
      for (const { collection, indexes: declared } of indexes)
        for (const { key, expireAfterSeconds } of declared) {
          const [field = ''] = Object.keys(key);
          if (expireAfterSeconds === undefined) continue;
          const before = new Date(now.getTime() - expireAfterSeconds * 1_000);
          await connection.collection(collection).deleteMany({ [field]: { $lt: before } });
        }
    },
    connectAgain: async () => {
      const other = await connect(database);
      watch.follow(other);
      others.push(other);
      return other;
    },
    drop: async () => {
      // Asked first: what is under way is cut off here when connections close, and goes on in the store.
      const isLeft = !isFileOver && watch.isOver;
      const { sent } = watch;
      for (const each of [...others, connection]) await each.close();
      if (!isLeft || watch.sent !== sent) return dropDatabase(database);
      left.set(kind, [...(left.get(kind) ?? []), { database, changed: watch.changed }]);
    },
  };
}

/** Clocks of tests stand in the past: the server's own clock must not take away what they wrote; see `expire`. */
function withoutExpiry({ collection, indexes }: CollectionIndexes): CollectionIndexes {
  return {
    collection,
    indexes: indexes.map(({ expireAfterSeconds: _expiry, ...index }) => index),
  };
}
