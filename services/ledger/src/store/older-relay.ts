import type { Connection } from '@laurel/mongo';
import { leaseEndsAt } from '@laurel/work';

/** The lease that replicas of the release before 0.1 hold while they relay all entries alone. */
const LEASE = 'relay';

/** Whether a replica of that release relays: it knows no slots, and relays the entries of all. */
export function createOlderRelay(connection: Connection) {
  let lookAt = 0;
  let until = 0;

  return {
    /** Asked of the store once in half of `leaseMs`, and when the lease that was seen has ended. */
    async relays(leaseMs: number): Promise<boolean> {
      if (Date.now() < until) return true;
      if (performance.now() < lookAt) return false;
      until = (await leaseEndsAt(connection, LEASE))?.getTime() ?? 0;
      lookAt = performance.now() + leaseMs / 2;
      return Date.now() < until;
    },
  };
}
