// What the store can do by itself, over the same data in the same run: the indexed query or the bare writes behind
// each operation, by the driver alone.
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { writeRedemption } from '../floors/redemption.mjs';
import { DECLARED } from './services.mjs';

const BATCH = 100;
const PAGE = 50;
/** What a redemption ends with, its event among it. */
const OUTCOME = ['code', 'redemption', 'event'];

/**
 * @typedef {import('./samples.mjs').Samples} Samples
 * @typedef {(sequence: number) => Promise<unknown>} Operation
 */

/**
 * @param {string} uri
 * @param {import('./scene.mjs').Place} place
 * @param {Samples} samples
 */
export async function openRaw(uri, { id: workspace_id }, samples) {
  const client = await MongoClient.connect(uri, { maxPoolSize: 32 });
  const clients = client.db('laurel_clients').collection('clients');
  const texts = client.db('laurel_clients').collection('client_search');
  const entries = client.db('laurel_ledger').collection('entries');
  const scratch = client.db(`bench_raw_${process.pid}`);
  const reads = readsOf({ workspace_id, clients, texts, entries, samples });
  const writes = await writesOf(client, scratch, await entries.findOne({ workspace_id }));
  return {
    /** @type {Record<string, { operation: Operation, perCall?: number }>} */
    operations: { ...reads, ...writes },
    close: async () => {
      await scratch.dropDatabase();
      await client.close();
    },
  };
}

/** The index that holds the newest first, of clients and of entries: the local engine would rather sort. */
const IN_ORDER = { hint: 'newest' };

function readsOf({ workspace_id, clients, texts, entries, samples }) {
  const newest = (skip) => () =>
    clients
      .find({ workspace_id }, IN_ORDER)
      .sort({ date_created: -1, _id: -1 })
      .skip(skip)
      .limit(PAGE)
      .toArray();
  const one = (filter) =>
    clients
      .find({ workspace_id, ...filter })
      .limit(PAGE)
      .toArray();
  const byPieces = (textOf) => async (sequence) => {
    const grams = { $all: piecesOf(textOf(sequence)) };
    const found = await texts
      .find({ workspace_id, grams }, { projection: { _id: 1 } })
      .limit(PAGE)
      .toArray();
    return clients.find({ _id: { $in: found.map(({ _id }) => _id) } }).toArray();
  };
  const walletPage = (upper) => (sequence) =>
    entries
      .find({
        workspace_id,
        wallet_id: samples.deepWallets[sequence % samples.deepWallets.length],
        sequence: { $lte: upper, $gt: upper - PAGE },
      })
      .sort({ sequence: -1 })
      .toArray();
  const latest = (skip) => () =>
    entries.find({ workspace_id }, IN_ORDER).sort({ _id: -1 }).skip(skip).limit(PAGE).toArray();
  return {
    'raw newest clients': { operation: newest(0) },
    'raw clients at an offset': { operation: newest(samples.clientDepth) },
    'raw clients of the middle': {
      operation: () =>
        clients
          .find({ workspace_id, date_created: { $lt: samples.middle.at } }, IN_ORDER)
          .sort({ date_created: -1, _id: -1 })
          .limit(PAGE)
          .toArray(),
    },
    'raw entries of the middle': {
      operation: () =>
        entries
          .find({ workspace_id, _id: { $lt: samples.middle.id } }, IN_ORDER)
          .sort({ _id: -1 })
          .limit(PAGE)
          .toArray(),
    },
    'raw clients by full name': { operation: byPieces(samples.fullName) },
    'raw clients by last name': { operation: byPieces(samples.lastName) },
    'raw clients by first name': { operation: byPieces(samples.firstName) },
    'raw client by e-mail': {
      operation: (sequence) => one({ email_key: samples.email(sequence).toLowerCase() }),
    },
    'raw client by phone': {
      operation: (sequence) => one({ phone_key: samples.phone(sequence) }),
    },
    'raw page of a wallet': { operation: walletPage(samples.walletDepth.newest) },
    'raw page of a wallet at depth': { operation: walletPage(samples.walletDepth.deep) },
    'raw latest entries': { operation: latest(0) },
    'raw entries at an offset': { operation: latest(samples.entryDepth) },
  };
}

/** Every three neighbouring characters, folded: what the search index holds. @param {string} text */
function piecesOf(text) {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return Array.from({ length: folded.length - 2 }, (_, at) => folded.slice(at, at + 3));
}

/**
 * The writes go to collections of their own, with the ledger's indexes: the chain of the real entries must stay whole.
 */
async function writesOf(client, scratch, sample) {
  const entries = scratch.collection('entries');
  const own = DECLARED.ledger.find(({ collection }) => collection === 'entries');
  await entries.createIndexes(own.indexes.map((index) => ({ ...index, key: { ...index.key } })));
  const entry = () => {
    const id = randomUUID();
    return { ...sample, _id: id, wallet_id: id, operation_id: id, claim: id };
  };
  const steps = scratch.collection('steps');
  await steps.insertOne({ _id: 'first' });
  const store = { client, steps, entries };
  return {
    'raw insert of an entry': { operation: () => entries.insertOne(entry()) },
    'raw insert of 100 entries (entries)': {
      perCall: BATCH,
      operation: () => entries.insertMany(Array.from({ length: BATCH }, entry), { ordered: false }),
    },
    'raw writes of a redemption': { operation: () => writeRedemption(store, entry(), OUTCOME) },
  };
}
