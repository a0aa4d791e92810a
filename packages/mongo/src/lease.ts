import { every } from '@laurel/lifecycle';
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
const RENEWALS_PER_CLAIM = 3;

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
  const renew = () =>
    leases.updateOne({ _id: name, holder }, { $set: { until: untilOf(Date.now()) } });
  try {
    return await whileRenewing(leaseMs, renew, work);
  } finally {
    await leases.updateOne({ _id: name, holder }, { $set: { until: new Date(0) } });
  }
}

/**
 * Does a piece of work under a claim that would end after `claimMs`, and renews the claim meanwhile. A renewal
 * that fails is not worth failing the work: a store that is away ends it soon enough.
 */
export async function whileRenewing<T>(
  claimMs: number,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const renewal = every(
    'claim',
    claimMs / RENEWALS_PER_CLAIM,
    () => void renew().catch(() => undefined),
  );
  try {
    return await work();
  } finally {
    renewal.cancel();
  }
}
