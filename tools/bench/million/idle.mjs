// Nothing is measured while the platform still has something to catch up with.
import { MongoClient } from 'mongodb';
import { pause } from '../load.mjs';

const LOOK_EVERY_MS = 500;
const WAIT_MS_MAX = 900_000;

/** The ledger signs an hour once nothing of it can be under way any more. */
const SIGNED_AFTER_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Resolves once no wallet is overdue, every event has left, and the hour is signed: points that expired since the data
 * was made are the ledger's to book first, and a checkpoint reads every wallet.
 *
 * @param {string} uri
 * @param {number} workspaces how many there are with entries
 */
export async function untilIdle(uri, workspaces) {
  const client = await MongoClient.connect(uri);
  const ledger = client.db('laurel_ledger');
  const waiting = async () => {
    const overdue = await ledger
      .collection('wallets')
      .countDocuments({ next_due_at: { $lte: new Date() } }, { limit: 1 });
    const untold = await ledger
      .collection('entries')
      .countDocuments({ unrelayed: true }, { limit: 1 });
    const hour = Math.floor((Date.now() - SIGNED_AFTER_MS) / HOUR_MS) * HOUR_MS;
    const signed = await ledger.collection('checkpoints').countDocuments({ at: new Date(hour) });
    return overdue + untold + Math.max(0, workspaces - signed);
  };
  const deadline = Date.now() + WAIT_MS_MAX;
  while ((await waiting()) > 0) {
    if (Date.now() > deadline) throw new Error('the ledger does not come to rest');
    await pause(LOOK_EVERY_MS);
  }
  await client.close();
}
