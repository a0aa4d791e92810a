import { mayFail } from '@laurel/lifecycle';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { failWritesOfClosedConnections } from './closed-connections';
import { storing } from './metrics';
import { readDocumentsAsWritten } from './plain-documents';
import { letPoolsRest } from './resting-pools';

failWritesOfClosedConnections();
letPoolsRest();
readDocumentsAsWritten();

export interface StoreSettings {
  uri: string;
  /** The database that this service alone owns. */
  database: string;
  poolSize: number;
  /** How long a server is waited for; ten seconds. */
  answerMsMax?: number;
  /** How long the reply to a command is waited for, but to one that builds indexes; two minutes. */
  replyMsMax?: number;
}

/** As long as the longest call may take: no caller waits for a reply that comes later. */
const REPLY_MS_MAX = 120_000;

/**
 * Opens a service's own database. Resolves once the server answers; nothing stays open where it rejects. A command whose
 * reply does not come in time fails as one whose connection was lost (`storeFault` says away), and whether it was done is
 * unknown. The driver itself would wait for ever on a connection that leads nowhere as long as others reach the server,
 * and with it all who share what it reads, the wallet that it writes, the job that it is part of.
 */
export async function connectStore({
  uri,
  database,
  poolSize,
  answerMsMax = 10_000,
  replyMsMax = REPLY_MS_MAX,
}: StoreSettings): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    maxPoolSize: poolSize,
    minPoolSize: 1,
    serverSelectionTimeoutMS: answerMsMax,
    waitQueueTimeoutMS: 10_000,
    socketTimeoutMS: replyMsMax,
    autoIndex: false,
    autoCreate: false,
    ignoreUndefined: true,
  });
  try {
    await connection.asPromise();
  } catch (error) {
    // It never opens again, and mongoose would keep it.
    await connection.destroy().catch(mayFail('a connection that never opened is left'));
    throw error;
  }
  measurePool(connection, database);
  return connection;
}

function measurePool(connection: Connection, database: string): void {
  connection
    .getClient()
    .on('connectionCheckedOut', ({ durationMS }) =>
      storing.poolWait.observe({ database }, durationMS / 1_000),
    )
    .on('connectionCheckOutFailed', () => storing.poolRefused.inc({ database }));
}

export interface StoreProbe {
  /** Resolves when the server answers; rejects soon where it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PROBE_MS_MAX = 1_500;

type MongoClient = mongo.MongoClient;

/**
 * Asks whether the server is there over a connection of its own, opened when it is first used: in the pool of the work a
 * question would wait behind the work, and a busy service would look like a store that is away. After a question that was
 * not answered the next one goes another way: a client whose first connection failed stays closed for good.
 */
export function createStoreProbe(uri: string): StoreProbe {
  let client: MongoClient | null = null;
  return {
    async ping() {
      const asked = client ?? openProbe(uri);
      client = asked;
      try {
        await asked.db('admin').command({ ping: 1 });
      } catch (error) {
        if (client === asked) client = null;
        void asked.close().catch(mayFail('a client that cannot reach the store is left'));
        throw error;
      }
    },
    close: async () => client?.close(),
  };
}

function openProbe(uri: string): MongoClient {
  return new mongoose.mongo.MongoClient(uri, {
    maxPoolSize: 1,
    serverSelectionTimeoutMS: PROBE_MS_MAX,
    // The one connection would wait for a lost reply for ever, and every question behind it.
    socketTimeoutMS: PROBE_MS_MAX,
    connectTimeoutMS: PROBE_MS_MAX,
    waitQueueTimeoutMS: PROBE_MS_MAX,
  });
}
