import type { Connection } from 'mongoose';
import { isDuplicateKey } from './errors';

interface LeaseRecord {
  _id: string;
  holder: string;
  until: Date;
}

/**
 * Lets one of many replicas do a piece of periodic work. Returns null when another holds the lease.
 * A holder that dies loses it after `durationMs`; the work itself must still be safe to repeat.
 */
export async function withLease<T>(
  connection: Connection,
  name: string,
  holder: string,
  durationMs: number,
  work: () => Promise<T>,
): Promise<T | null> {
  const leases = connection.collection<LeaseRecord>('leases');
  const now = new Date();
  try {
    await leases.findOneAndUpdate(
      { _id: name, $or: [{ until: { $lte: now } }, { holder }] },
      { $set: { holder, until: new Date(now.getTime() + durationMs) } },
      { upsert: true },
    );
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
  try {
    return await work();
  } finally {
    await leases.updateOne({ _id: name, holder }, { $set: { until: new Date(0) } });
  }
}
