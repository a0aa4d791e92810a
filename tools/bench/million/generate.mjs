// Fills workspaces with clients, ledger entries, wallets and tier members, from a seed, in minutes.
//
// Three steps: threads make the documents with the services' own code and spool them by time; they go into the store
// without secondary indexes; the services' indexes are built. Memory stays flat: a client at a time while making, one
// part in 128 of all documents while loading. The spool needs about 12 GB of disk for a million clients, until loaded.
//
// The same seed makes the same people, moments, amounts and ids. Salts of notes are random, as the ledger wants it, and
// hashes follow from them.
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { say } from '../../../deploy/local/lib/progress.mjs';
import {
  buildIndexes,
  COLLECTIONS,
  dropSecondaryIndexes,
  finishBackfills,
  insertSpool,
  settleStore,
} from './load.mjs';

const SHARES_MAX = 4;
const REPORT_EVERY_MS = 10_000;

/**
 * @param {{ uri: string, socket?: string | undefined, spool: string, plans: import('./client-records.mjs').Plan[] }} options
 *   `spool` is a folder to be used and removed; the services must not run meanwhile
 * @returns {Promise<Record<string, number>>} documents made, by collection
 */
export async function generate({ uri, socket, spool, plans }) {
  rmSync(spool, { recursive: true, force: true });
  const shares = Math.min(availableParallelism(), SHARES_MAX);
  const made = await timed('documents made', () => makeAll(plans, spool, shares));
  const report = every(REPORT_EVERY_MS, (inserted) => say(`  ${inserted} documents inserted`));
  await timed('documents inserted', async () => {
    await dropSecondaryIndexes(uri);
    await insertSpool({ uri, folder: spool, shares, onProgress: report });
  });
  rmSync(spool, { recursive: true, force: true });
  await timed('indexes built', () => buildIndexes(uri));
  await finishBackfills(uri);
  await timed('vacuumed and analysed', () => settleStore(socket));
  return made;
}

/**
 * @param {import('./client-records.mjs').Plan[]} plans
 * @param {string} folder
 * @param {number} shares
 */
async function makeAll(plans, folder, shares) {
  const report = every(REPORT_EVERY_MS, (clients) => say(`  ${clients} clients made`));
  const clients = new Array(shares).fill(0);
  const counts = await Promise.all(
    clients.map((_, share) => {
      const workerData = { plans, folder, share, shares, collections: COLLECTIONS };
      return work(workerData, (done) => {
        clients[share] = done;
        report(clients.reduce((sum, count) => sum + count, 0));
      });
    }),
  );
  return Object.fromEntries(
    COLLECTIONS.map((name, at) => [name, counts.reduce((sum, made) => sum + made[at], 0)]),
  );
}

/** @returns {Promise<number[]>} how many documents of each collection */
function work(workerData, onClients) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData });
    worker.on('message', ({ clients, made }) => {
      onClients(clients);
      if (made) resolve(made);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('a thread ended before its work')));
  });
}

/**
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @template T
 */
async function timed(what, work) {
  const startedAt = performance.now();
  const result = await work();
  say(`✓ ${what} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return result;
}

/**
 * @param {number} ms
 * @param {(value: number) => void} tell
 */
function every(ms, tell) {
  let toldAt = performance.now();
  return (/** @type {number} */ value) => {
    if (performance.now() - toldAt < ms) return;
    toldAt = performance.now();
    tell(value);
  };
}
