// One of the threads that make the documents: every so-manieth client of each workspace, written to the spool.
import { parentPort, workerData } from 'node:worker_threads';
import { BSON } from 'mongodb';
import { entryCounts, recordsOf } from './client-records.mjs';
import { SpoolWriter } from './spool.mjs';

const REPORT_EVERY = 1_000;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { plans, folder, share, shares, collections } = workerData;
const numbers = new Map(collections.map((name, number) => [name, number]));
const spool = new SpoolWriter({
  folder,
  share,
  from: Math.min(...plans.map(({ from }) => from)),
  to: Math.max(...plans.map(({ to }) => to)),
});
const made = collections.map(() => 0);
let clients = 0;
for (const plan of plans) {
  const counts = entryCounts(plan);
  for (let number = share; number < plan.clients; number += shares) {
    for (const { kind, at, document } of recordsOf(plan, number, counts[number])) {
      const collection = numbers.get(kind);
      spool.add(collection, at, BSON.serialize(document, { ignoreUndefined: true }));
      made[collection] += 1;
    }
    clients += 1;
    if (clients % REPORT_EVERY === 0) port.postMessage({ clients });
  }
}
spool.close();
port.postMessage({ clients, made });
