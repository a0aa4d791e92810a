import type { Connection } from 'mongoose';
import { isDuplicateKey } from './errors';

interface LeaseRecord {
  _id: string;
  holder: string;
  until: Date;
}

/** How long a holder that died stands in the way of the others. */
const LEASE_MS = 15_000;
/** Often enough that one renewal may fail. */
const RENEWALS_PER_LEASE = 3;

/**
 * Lets one of many replicas do a piece of periodic work. Returns null when another holds the lease.
 * A holder keeps it as long as it works, and loses it soon after it died; the work itself must
 * still be safe to repeat, and to do twice at once, because a process may stand still and go on.
 */
export async function withLease<T>(
  connection: Connection,
  name: string,
  holder: string,
  work: () => Promise<T>,
  leaseMs: number = LEASE_MS,
): Promise<T | null> {
  const leases = connection.collection<LeaseRecord>('leases');
  const untilOf = (now: number): Date => new Date(now + leaseMs);
  const now = Date.now();
  try {
    await leases.findOneAndUpdate(
      { _id: name, $or: [{ until: { $lte: new Date(now) } }, { holder }] },
      { $set: { holder, until: untilOf(now) } },
      { upsert: true },
    );
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
  const renew = async (): Promise<void> => {
    await leases.updateOne({ _id: name, holder }, { $set: { until: untilOf(Date.now()) } });
  };
  // A store that is away ends the work soon enough; the lease needs no say in it.
  const renewal = setInterval(
    () => void renew().catch(() => undefined),
    leaseMs / RENEWALS_PER_LEASE,
  );
  renewal.unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await leases.updateOne({ _id: name, holder }, { $set: { until: new Date(0) } });
  }
}
