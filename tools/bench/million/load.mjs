// Filling a store as fast as it goes: without secondary indexes, in large batches of ready-made BSON, indexes afterwards.
import { createRequire } from 'node:module';
import { MongoClient } from 'mongodb';
import { querySocket } from '../../../deploy/local/documentdb/postgres-client.mjs';
import { say } from '../../../deploy/local/lib/progress.mjs';
import { connectStore, createBackfillStore, DECLARED, ensureIndexes } from './services.mjs';
import { readSpool } from './spool.mjs';

/** The driver's own way to send documents that are serialized already. */
const { DocumentSequence } = createRequire(import.meta.url)('mongodb/lib/cmap/commands');

const BATCH_DOCUMENTS = 1_000;
const BATCH_BYTES = 4_000_000;
const IN_FLIGHT = 4;
const VACUUM_MS_MAX = 1_800_000;
const PREFIX = 'laurel_';

/** What is filled, as `service.collection`. */
export const COLLECTIONS = [
  'clients.clients',
  'clients.client_search',
  'clients.client_profiles',
  'ledger.entries',
  'ledger.wallets',
  'ledger.wallet_lots',
  'tiers.members',
  'tiers.tier_history',
];

/** @param {string} name */
const split = (name) => /** @type {[keyof typeof DECLARED, string]} */ (name.split('.'));

const indexesOf = (service, collection) =>
  DECLARED[service].find((each) => each.collection === collection)?.indexes ?? [];

/** @param {string} uri */
export async function dropSecondaryIndexes(uri) {
  const client = await MongoClient.connect(uri);
  for (const [service, collection] of COLLECTIONS.map(split))
    if (indexesOf(service, collection).length > 0)
      await client
        .db(PREFIX + service)
        .collection(collection)
        .dropIndexes();
  await client.close();
}

/**
 * Inserts what the spool holds, in the order of time.
 *
 * @param {{ uri: string, folder: string, shares: number, onProgress: (inserted: number) => void }} options
 */
export async function insertSpool({ uri, folder, shares, onProgress }) {
  const client = await MongoClient.connect(uri, { maxPoolSize: IN_FLIGHT });
  const batches = COLLECTIONS.map(() => newBatch());
  /** @type {Set<Promise<void>>} */
  const flying = new Set();
  let inserted = 0;

  const send = async (number) => {
    const batch = batches[number];
    batches[number] = newBatch();
    if (batch.count === 0) return;
    while (flying.size >= IN_FLIGHT) await Promise.race(flying);
    const [service, collection] = split(COLLECTIONS[number]);
    const sending = insert(client.db(PREFIX + service), collection, batch).then(() => {
      inserted += batch.count;
      flying.delete(sending);
    });
    // The next one to wait gets to know of a failure; until then it must not end the process.
    sending.catch(() => undefined);
    flying.add(sending);
    onProgress(inserted);
  };
  for (const { collection, bytes } of readSpool(folder, shares)) {
    const batch = batches[collection];
    batch.sequence.push({}, bytes);
    batch.count += 1;
    batch.bytes += bytes.length;
    if (batch.count >= BATCH_DOCUMENTS || batch.bytes >= BATCH_BYTES) await send(collection);
  }
  for (const number of COLLECTIONS.keys()) await send(number);
  await Promise.all(flying);
  await client.close();
}

const newBatch = () => ({ sequence: new DocumentSequence('documents'), count: 0, bytes: 0 });

async function insert(db, collection, { sequence, count }) {
  const reply = await db.command({ insert: collection, documents: sequence, ordered: false });
  if (reply.n !== count)
    throw new Error(
      `${collection}: ${reply.n} of ${count} went in; ${JSON.stringify(reply.writeErrors?.[0])}`,
    );
}

/**
 * Builds the indexes that the services would make at their start, those of the largest collection beside the others.
 *
 * @param {string} uri
 */
export async function buildIndexes(uri) {
  const [largest, others] = [
    ['ledger.entries'],
    COLLECTIONS.filter((each) => each !== 'ledger.entries'),
  ];
  await Promise.all([buildAll(uri, largest), buildAll(uri, others)]);
}

/**
 * @param {string} uri
 * @param {string[]} names
 */
async function buildAll(uri, names) {
  for (const [service, collection] of names.map(split)) {
    const connection = await connectStore({ uri, database: PREFIX + service, poolSize: 1 });
    for (const index of indexesOf(service, collection)) {
      const startedAt = performance.now();
      await ensureIndexes(connection, [{ collection, indexes: [index] }]);
      const seconds = (performance.now() - startedAt) / 1_000;
      say(`  index ${index.name} of ${service}.${collection} built in ${seconds.toFixed(1)} s`);
    }
    await connection.close();
  }
}

/**
 * Says that every client has its profile, which the clients service would otherwise look into.
 *
 * @param {string} uri
 */
export async function finishBackfills(uri) {
  const connection = await connectStore({ uri, database: `${PREFIX}clients`, poolSize: 1 });
  await createBackfillStore(connection).finish();
  await connection.close();
}

/**
 * What PostgreSQL does by itself within the next minutes, in the middle of whatever is measured then.
 *
 * @param {string | undefined} socket of the local engine, where that is the store
 */
export async function settleStore(socket) {
  if (socket) await querySocket(socket, 'vacuum (analyze)', VACUUM_MS_MAX);
}
