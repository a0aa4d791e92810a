import mongoose, { type Connection } from 'mongoose';
import { failWritesOfClosedConnections } from './closed-connections';

failWritesOfClosedConnections();

export interface StoreSettings {
  uri: string;
  /** The database that this service alone owns. */
  database: string;
  poolSize: number;
}

/** Opens a service's own database. Resolves once the server answers. */
export async function connectStore({
  uri,
  database,
  poolSize,
}: StoreSettings): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    maxPoolSize: poolSize,
    minPoolSize: 1,
    serverSelectionTimeoutMS: 10_000,
    waitQueueTimeoutMS: 10_000,
    autoIndex: false,
    autoCreate: false,
    ignoreUndefined: true,
  });
  await connection.asPromise();
  return connection;
}

export interface StoreProbe {
  /** Resolves when the server answers; rejects soon where it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PROBE_MS_MAX = 1_500;

/**
 * Asks whether the server is there over a connection of its own, opened when it is first used: in the pool of the work a
 * question would wait behind the work, and a busy service would look like a store that is away.
 */
export function createStoreProbe(uri: string): StoreProbe {
  const client = new mongoose.mongo.MongoClient(uri, {
    maxPoolSize: 1,
    serverSelectionTimeoutMS: PROBE_MS_MAX,
    waitQueueTimeoutMS: PROBE_MS_MAX,
  });
  return {
    ping: async () => void (await client.db('admin').command({ ping: 1 })),
    close: () => client.close(),
  };
}
