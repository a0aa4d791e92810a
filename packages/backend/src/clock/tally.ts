import type { CloudEvent, Tally } from '@laurel/events';
import type { CollectionIndexes, Connection } from '@laurel/mongo';

const COLLECTION = 'sandbox_events';
/** Longer than any sandbox lives. */
const KEPT_SECONDS = 2 * 86_400;
const SENT = '';

interface TallyRow {
  /** Names event and place, so that what is done twice counts once. */
  _id: string;
  workspace_id: string;
  /** The queue that handled it; empty where it was sent. */
  queue: string;
  type: string;
  at: Date;
}

export const tallyIndexes: CollectionIndexes = {
  collection: COLLECTION,
  growth: {
    per: 'event of a sandbox',
    end: '2 days',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, queue: 1, type: 1 }, name: 'account' },
    { key: { at: 1 }, name: 'at_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
};

export interface EventCount {
  type: string;
  count: number;
}

export interface StoredTally extends Tally {
  /** What was sent, and what each queue has handled, of one sandbox. What a queue handled is counted first. */
  account(workspaceId: string): Promise<{ sent: EventCount[]; handled: Map<string, EventCount[]> }>;
}

/** Keeps the account of events of sandboxes beside what they did, in the service's own database. */
export function createTally(connection: Connection, onEnded: (id: string) => Promise<void>) {
  const rows = connection.collection<TallyRow>(COLLECTION);

  async function note(queue: string, events: readonly CloudEvent[]): Promise<void> {
    const own = events.filter(({ sandboxahead }) => sandboxahead !== undefined);
    if (own.length === 0) return;
    const at = new Date();
    const writes = own.map(({ id, type, workspaceid }) => ({
      updateOne: {
        filter: { _id: `${queue}:${id}` },
        update: { $setOnInsert: { workspace_id: workspaceid!, queue, type, at } },
        upsert: true,
      },
    }));
    await rows.bulkWrite(writes, { ordered: false });
  }

  async function countOf(filter: object): Promise<(EventCount & { queue: string })[]> {
    const _id = { queue: '$queue', type: '$type' };
    const groups = rows.aggregate<{ _id: { queue: string; type: string }; count: number }>([
      { $match: filter },
      { $group: { _id, count: { $sum: 1 } } },
    ]);
    return (await groups.toArray()).map((group) => ({ ...group._id, count: group.count }));
  }

  const tally: StoredTally = {
    sent: (events) => note(SENT, events),

    async handled(queue, events) {
      await note(queue, events);
      for (const { type, workspaceid, sandboxahead } of events)
        if (type === 'identity.workspace_deleted' && sandboxahead !== undefined)
          await onEnded(workspaceid!);
    },

    async account(workspaceId) {
      const handled = new Map<string, EventCount[]>();
      const found = await countOf({ workspace_id: workspaceId, queue: { $ne: SENT } });
      for (const { queue, type, count } of found)
        handled.set(queue, [...(handled.get(queue) ?? []), { type, count }]);
      const sent = await countOf({ workspace_id: workspaceId, queue: SENT });
      return { sent: sent.map(({ type, count }) => ({ type, count })), handled };
    },
  };
  return tally;
}
