// What a redemption writes, by the driver alone.
import { randomUUID } from 'node:crypto';

/** What a redemption ends with: a document each. */
const OUTCOME = ['code', 'redemption'];

/**
 * As many writes as a redemption takes: an attempt, its reservation and steps, the entry, then the outcome and the end
 * of the attempt in one.
 *
 * @param {{ client: import('mongodb').MongoClient, steps: import('mongodb').Collection<any>, entries: import('mongodb').Collection<any> }} store
 * @param {any} entry
 * @param {readonly string[]} outcome
 */
export async function writeRedemption({ client, steps, entries }, entry, outcome = OUTCOME) {
  const [attempt, usage] = [randomUUID(), randomUUID()];
  await steps.insertOne({ _id: attempt, state: 'reserving' });
  await steps.updateOne({ _id: usage }, { $inc: { count: 1 } }, { upsert: true });
  await steps.updateOne({ _id: attempt }, { $set: { state: 'spending' } });
  await entries.insertOne(entry);
  await steps.updateOne({ _id: attempt }, { $set: { state: 'coupon' } });
  const session = client.startSession();
  try {
    await session.withTransaction(async () => {
      for (const kind of outcome)
        await steps.insertOne({ _id: randomUUID(), [kind]: attempt }, { session });
      await steps.deleteOne({ _id: attempt }, { session });
    });
  } finally {
    await session.endSession();
  }
}
