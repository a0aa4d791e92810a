// A backup is seldom restored in the minute it was made.
import { setTimeout as pause } from 'node:timers/promises';

/** Longer than published events are kept (docs/adr/0033), so that an end by their age alone would take them before any replay. */
export const AGE_MS = 2 * 86_400_000;

const DATED = { published_at: { $type: 'date' } };
const SWEPT_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;

/** @typedef {import('mongodb').MongoClient} MongoClient */
/** @typedef {{ mongo: MongoClient, prefix: string, services: readonly string[] }} Restored */

/** How many events stand as published, and could leave again. @param {Restored} restored */
export async function countPublished({ mongo, prefix, services }) {
  const counts = services.map((service) =>
    mongo.db(`${prefix}${service}`).collection('outbox').countDocuments(DATED),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Lets restored outboxes be as old as if they had been left alone for `AGE_MS`. @param {Restored} restored */
export async function makeOlder({ mongo, prefix, services }) {
  const earlier = (/** @type {string} */ column) => [
    { $set: { [column]: { $subtract: [`$${column}`, AGE_MS] } } },
  ];
  for (const service of services) {
    const database = mongo.db(`${prefix}${service}`);
    await database.collection('outbox').updateMany(DATED, earlier('published_at'));
    const sweeps = database.collection('outbox_sweeps');
    for (const column of ['swept_at', 'held_until']) await sweeps.updateMany({}, earlier(column));
  }
}

/** Waits until every service that runs has looked for what may go. @param {Restored} restored @param {number} since */
export async function untilSwept({ mongo, prefix, services }, since) {
  const until = performance.now() + SWEPT_WITHIN_MS;
  const fresh = { swept_at: { $gte: new Date(since) } };
  for (const service of services) {
    const sweeps = mongo.db(`${prefix}${service}`).collection('outbox_sweeps');
    while (!(await sweeps.findOne(fresh))) {
      if (performance.now() > until) throw new Error(`${service} never looked after its outbox`);
      await pause(LOOK_EVERY_MS);
    }
  }
}
