import type { Connection } from '@laurel/mongo';

/** The lease that replicas up to 0.1 hold while they relay all entries alone. */
const LEASE = 'relay';

/** Whether a replica of the release before relays: it knows no slots, and relays the entries of all. */
export function createOlderRelay(connection: Connection) {
  const leases = connection.collection<{ _id: string; until: Date }>('leases');
  let lookAt = 0;
  let until = 0;

  return {
    /** Asked of the store once in half of `leaseMs`, and when the lease that was seen has ended. */
    async relays(leaseMs: number): Promise<boolean> {
      const now = Date.now();
      if (now < until) return true;
      if (now < lookAt) return false;
      const lease = await leases.findOne({ _id: LEASE });
      until = lease?.until.getTime() ?? 0;
      lookAt = now + leaseMs / 2;
      return now < until;
    },
  };
}
