import { createLogger, type Logger, newId } from '@laurel/lifecycle';
import {
  type CollectionIndexes,
  type Connection,
  connectStore,
  ensureIndexes,
} from '@laurel/mongo';
import { type Claimed, drain, type Job, jobNamed, type PieceJob, type Process } from '@laurel/work';
import { testServers } from './servers';

export { answerOrRefusal } from './answer-or-refusal';
export { atEveryCall, type Death, type Mortal, mortal } from './mortal';
export { propertySettings } from './property-settings';
export { takeQueues } from './queues';
export {
  type RedisCluster,
  type RedisServer,
  startRedisCluster,
  startRedisServer,
} from './redis-cluster';
export { openRotation, type Rotation, rotateInThreeRollOuts } from './rotation';
export { testServers } from './servers';
export { type DueRows, firstClaim } from './turns';
export { underOneKey } from './under-one-key';
export { until } from './until';

export interface TestStore {
  connection: Connection;
  database: string;
  /** A connection as another process would have it; `drop` closes it. */
  connectAgain(): Promise<Connection>;
  /** Removes what the TTL indexes let the store remove by a time, as its monitor would. */
  expire(now: Date): Promise<void>;
  /** Drops the database and closes every connection to it. */
  drop(): Promise<void>;
}

/** A database of this test's own on the real store, with the given indexes. */
export async function testStore(indexes: readonly CollectionIndexes[] = []): Promise<TestStore> {
  const database = `test_${newId().replaceAll('-', '')}`;
  const connect = () => connectStore({ uri: testServers().mongodbUri, database, poolSize: 32 });
  const connection = await connect();
  await ensureIndexes(connection, indexes.map(withoutExpiry));
  const others: Connection[] = [];
  return {
    connection,
    database,
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
      const other = await connect();
      others.push(other);
      return other;
    },
    drop: async () => {
      for (const other of others) await other.close();
      await connection.db?.dropDatabase();
      await connection.close();
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

/** A clock that stands still until it is moved. */
export function testClock(start = '2026-01-15T10:00:00.000Z'): {
  now(): Date;
  set(time: string | Date): void;
  advanceMs(ms: number): void;
} {
  let current = new Date(start);
  return {
    now: () => new Date(current),
    set: (time) => {
      current = new Date(time);
    },
    advanceMs: (ms) => {
      current = new Date(current.getTime() + ms);
    },
  };
}

/** Swallows what is logged. */
export const silentLogger: Logger = createLogger('test', 'silent');

/** A process that goes on. */
export const awake: Process = { isStopping: () => false };

/** Does what one job of a table does by itself, until nothing is due by its clock; says how much that was. */
export const workOffJob = (jobs: readonly Job[], name: string): Promise<number> =>
  workOff(jobNamed(jobs, name));

/** The same of one job. */
export const workOff = (job: Job): Promise<number> => drain(job, silentLogger);

/** The next row of a job, in hand and not worked on yet; undefined when none is due. */
export async function takeUp<Row>({
  due,
  leaseMs,
  clock,
}: Pick<PieceJob<Row>, 'due' | 'leaseMs' | 'clock'>): Promise<Claimed<Row> | undefined> {
  const room = { count: 1, share: 1, inHand: new Map<string, number>() };
  const [claimed] = await due.claim(room, { now: clock?.now() ?? new Date(), leaseMs });
  return claimed;
}

/** Nothing anywhere names what a service deletes. */
export const nothingReferenced = {
  find: async (): Promise<never[]> => [],
  requireUnreferenced: async (): Promise<void> => undefined,
};
export { GivenSlots } from './given-slots';
