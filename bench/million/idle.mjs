// Nothing is measured while the platform still has something to catch up with.
import { MongoClient } from 'mongodb';
import { pause } from '../load.mjs';

const LOOK_EVERY_MS = 500;
const WAIT_MS_MAX = 900_000;

/**
 * Resolves once no wallet is overdue and every event has left: points that expired since the data was made are the
 * ledger's to book first.
 *
 * @param {string} uri
 */
export async function untilIdle(uri) {
  const client = await MongoClient.connect(uri);
  const ledger = client.db('laurel_ledger');
  const waiting = async () => {
    const overdue = await ledger
      .collection('wallets')
      .countDocuments({ next_due_at: { $lte: new Date() } }, { limit: 1 });
    const untold = await ledger
      .collection('entries')
      .countDocuments({ unrelayed: true }, { limit: 1 });
    return overdue + untold;
  };
  const deadline = Date.now() + WAIT_MS_MAX;
  while ((await waiting()) > 0) {
    if (Date.now() > deadline) throw new Error('the ledger does not come to rest');
    await pause(LOOK_EVERY_MS);
  }
  await client.close();
}
