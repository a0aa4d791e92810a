import type { Connection } from '@laurel/mongo';
import type { Deed } from '../domain/client-activity';
import { EVENT_ORDERS } from './event-queries';
import { events } from './events';

const BATCH = 20_000;

/** What some clients did, as far as it says that they came. */
export function createDeedStore(connection: Connection) {
  const rows = events.open(connection);

  return {
    /** Events of some categories and redemptions, from a moment up to another, in no particular order. */
    async between(
      workspaceId: string,
      clientIds: readonly string[],
      { from, until, categories }: { from: Date; until: Date; categories: readonly string[] },
    ): Promise<Deed[]> {
      const filter = {
        client_id: { $in: [...clientIds] },
        event_timestamp: { $gte: from, $lt: until },
        $or: [
          { event_category: { $in: [...categories] } },
          { event_category: 'loyalty', event_type: 'reward_redeemed' },
        ],
      };
      const some = rows
        .of(workspaceId)
        .find(filter as never, { hint: EVENT_ORDERS.ofClient, batchSize: BATCH })
        .project<Deed>({
          _id: 0,
          client_id: 1,
          event_category: 1,
          event_type: 1,
          event_timestamp: 1,
          source: 1,
          amount: 1,
        });
      return some.toArray();
    },
  };
}
