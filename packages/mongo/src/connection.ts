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

export async function pingStore(connection: Connection): Promise<void> {
  await connection.db?.command({ ping: 1 });
}
