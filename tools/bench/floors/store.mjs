// What the store can do by itself, on the same server: the raw three-write transaction, the writes of a redemption, inserts, one find.
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { measure } from '../load.mjs';
import { writeRedemption } from './redemption.mjs';

const WALLETS = 10_000;
const BATCH = 100;

/**
 * @param {string} uri
 * @param {string} database
 */
export async function openStoreFloor(uri, database) {
  const client = await MongoClient.connect(uri, { maxPoolSize: 32 });
  const db = client.db(database);
  const wallets = db.collection('wallets');
  const entries = db.collection('entries');
  const outbox = db.collection('outbox');
  /** @type {any[]} */
  const rows = Array.from({ length: WALLETS }, (_, number) => ({
    _id: `wallet-${number}`,
    workspace_id: 'w',
    client_id: `c${number}`,
    active: 0,
  }));
  await wallets.insertMany(rows);
  await wallets.createIndex({ workspace_id: 1, client_id: 1 }, { unique: true });
  await entries.createIndex({ wallet_id: 1, created_at: -1 });
  await outbox.createIndex({ published: 1 });

  /** @param {number} sequence */
  const transact = async (sequence) => {
    const session = client.startSession();
    try {
      await session.withTransaction(async () => {
        const id = `wallet-${sequence % WALLETS}`;
        await wallets.updateOne(
          /** @type {any} */ ({ _id: id }),
          { $inc: { active: 1 } },
          { session },
        );
        await entries.insertOne(
          /** @type {any} */ ({
            _id: randomUUID(),
            wallet_id: id,
            amount: 1,
            created_at: new Date(),
          }),
          { session },
        );
        await outbox.insertOne(
          /** @type {any} */ ({ _id: randomUUID(), published: false, event: { id } }),
          { session },
        );
      });
    } finally {
      await session.endSession();
    }
  };
  const store = { client, entries, steps: db.collection('steps') };
  const entry = () =>
    /** @type {any} */ ({
      _id: randomUUID(),
      wallet_id: 'wallet-0',
      amount: 1,
      created_at: new Date(),
    });
  /** @type {Record<string, import('../subjects.mjs').Subject>} */
  const operations = {
    'raw 3-write transaction': { operation: transact },
    'raw writes of a redemption': { operation: () => writeRedemption(store, entry()) },
    'raw insert': { operation: () => entries.insertOne(entry()) },
    'raw insertMany of 100 (documents)': {
      perCall: BATCH,
      operation: () => entries.insertMany(Array.from({ length: BATCH }, entry), { ordered: false }),
    },
    'raw find by id': {
      operation: (sequence) =>
        wallets.findOne(/** @type {any} */ ({ _id: `wallet-${sequence % WALLETS}` })),
    },
  };
  return {
    operations,
    /** @param {{ inFlight: number, seconds: number, pids: Record<string, number> }} how */
    measureAll: async (how) => {
      /** @type {Record<string, import('../load.mjs').Measured>} */
      const measured = {};
      for (const [name, { operation, perCall = 1 }] of Object.entries(operations))
        measured[name] = await measure({ ...how, perCall }, operation);
      return measured;
    },
    close: async () => {
      await db.dropDatabase();
      await client.close();
    },
  };
}
