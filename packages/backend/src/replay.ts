import { outboxRows } from '@laurel/events';
import { type Connection, connectStore } from '@laurel/mongo';

/** How many events of a service will leave once more. */
export interface Replayed {
  service: string;
  events: number;
}

const DAY_MS = 86_400_000;
/** The row of an event is kept no longer, and consumers remember for eight days what they have handled. */
const SINCE_DAYS_MAX = 7;

/** Why events since a moment cannot leave once more; null where they can. What consumers have forgotten would be done twice. */
export function complaintAboutSince(since: Date, now: Date): string | null {
  if (since > now) return `${since.toISOString()} is in the future`;
  if (now.getTime() - since.getTime() <= SINCE_DAYS_MAX * DAY_MS) return null;
  return `${since.toISOString()} is more than ${SINCE_DAYS_MAX} days ago: consumers no longer know what of it they have handled, and would do it twice`;
}

/** The log of the ledger is its own outbox: the relay makes the events of its entries. */
const LEDGER = { service: 'ledger', collection: 'entries' };

/**
 * Lets every event that left since a moment leave once more: after a restore, what was published before the moment of
 * the backup and handled after it is handled nowhere any more. Consumers skip what they had handled by then (8 days);
 * the rows are kept for a day before the backup and a day after the restore (docs/adr/0033). Run it once every service is
 * ready: into an empty broker events leave before the last queue is bound, and those that reach some queue count as
 * published. Running it twice is harmless.
 *
 * @param services names of those that keep something
 * @param since as `complaintAboutSince` takes it
 */
export async function replayEvents(
  { uri, prefix }: { uri: string; prefix: string },
  services: readonly string[],
  since: Date,
): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  for (const service of services) {
    const connection = await connectStore({ uri, database: `${prefix}${service}`, poolSize: 1 });
    try {
      const events = await reopen(connection, since);
      const entries = service === LEDGER.service ? await reopenEntries(connection, since) : 0;
      replayed.push({ service, events: events + entries });
    } finally {
      await connection.close();
    }
  }
  return replayed;
}

async function reopen(connection: Connection, since: Date): Promise<number> {
  const { modifiedCount } = await connection
    .collection(outboxRows.collection)
    .updateMany(
      { published_at: { $gte: since } },
      { $set: { pending: true, published_at: null, lease_until: new Date(0), leased_by: null } },
    );
  return modifiedCount;
}

async function reopenEntries(connection: Connection, since: Date): Promise<number> {
  const { modifiedCount } = await connection
    .collection<{ _id: string }>(LEDGER.collection)
    .updateMany(
      { _id: { $gte: firstIdOf(since) }, created_at: { $gte: since } },
      { $set: { unrelayed: true } },
    );
  return modifiedCount;
}

/** Ids are UUIDs of version 7, which begin with their milliseconds; a minute is left for clocks that are apart. */
function firstIdOf(since: Date): string {
  const hex = Math.max(0, since.getTime() - 60_000)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
