import { type Connection, collection } from '@laurel/mongo';

const KEPT_SECONDS = 86_400;

interface ConsideredEventDocument {
  _id: string;
  workspace_id: string;
  considered_at: Date;
}

export const consideredEvents = collection<ConsideredEventDocument>('considered_events', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: { per: 'purchase at a till', end: 'one day', shardKey: 'hashed _id' },
  indexes: [
    { key: { workspace_id: 1 }, name: 'of_workspace' },
    { key: { considered_at: 1 }, name: 'considered_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
});

/** Events that somebody waits for, once every rule that asked for them has had its turn. */
export function createConsideredEventStore(connection: Connection) {
  const rows = consideredEvents.open(connection);
  return {
    /** Notes it once; the same one again changes nothing. */
    async add(workspaceId: string, id: string, now: Date): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne({ _id: id }, { $setOnInsert: { considered_at: now } }, { upsert: true });
    },

    has: (workspaceId: string, id: string): Promise<boolean> =>
      rows.of(workspaceId).has({ _id: id }),
  };
}
