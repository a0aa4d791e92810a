import { every, mayFail } from '@laurel/lifecycle';
import { type Connection, isDuplicateKey } from '@laurel/mongo';

interface LeaseRecord {
  _id: string;
  holder: string;
  until: Date;
}

/** How long a holder that died stands in the way of the others. */
const LEASE_MS = 15_000;
/** Further apart no clocks are: a lease that ends so much later was taken by one that was ahead, and was set right since. */
const APART_MS = 30_000;
/** Often enough that one renewal may fail. */
const RENEWALS_PER_LEASE = 3;

/** One of many replicas at a time, by name, in the collection `leases` of the service's own database. */
export interface Lease {
  /** Takes or renews it for `forMs`; false while another holds it. */
  take(forMs: number): Promise<boolean>;
  /** Keeps it for `forMs` more, if it is still this holder's. */
  renew(forMs: number): Promise<void>;
  /** Lets another take it at once. */
  giveBack(): Promise<void>;
}

const leasesOf = (connection: Connection) => connection.collection<LeaseRecord>('leases');

/** When the lease `name` ends if whose it is does not renew it; null where it was never taken. */
export async function leaseEndsAt(connection: Connection, name: string): Promise<Date | null> {
  return (await leasesOf(connection).findOne({ _id: name }))?.until ?? null;
}

/** The lease `name`, as `holder` would hold it. A holder that stood still and goes on may find that it is another's. */
export function createLease(connection: Connection, name: string, holder: string): Lease {
  const leases = leasesOf(connection);
  const until = (forMs: number) => ({ $set: { holder, until: new Date(Date.now() + forMs) } });
  return {
    async take(forMs) {
      const now = Date.now();
      const isOver = { $lte: new Date(now) };
      const isUnlikely = { $gt: new Date(now + forMs + APART_MS) };
      try {
        await leases.findOneAndUpdate(
          { _id: name, $or: [{ until: isOver }, { until: isUnlikely }, { holder }] },
          until(forMs),
          { upsert: true },
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    renew: async (forMs) => void (await leases.updateOne({ _id: name, holder }, until(forMs))),
    giveBack: async () =>
      void (await leases.updateOne({ _id: name, holder }, { $set: { until: new Date(0) } })),
  };
}

/**
 * Lets one of many replicas do a piece of work. Returns null when another holds the lease. A holder keeps it as long as
 * it works, and loses it soon after it died; the work itself must still be safe to repeat, and to do twice at once,
 * because a process may stand still and go on.
 */
export async function withLease<T>(
  lease: Lease,
  work: () => Promise<T>,
  leaseMs: number = LEASE_MS,
): Promise<{ done: T } | null> {
  if (!(await lease.take(leaseMs))) return null;
  try {
    return { done: await whileRenewing(leaseMs, () => lease.renew(leaseMs), work) };
  } finally {
    await lease.giveBack();
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
    claimMs / RENEWALS_PER_LEASE,
    () => void renew().catch(mayFail('the next renewal tries again')),
  );
  try {
    return await work();
  } finally {
    renewal.cancel();
  }
}
