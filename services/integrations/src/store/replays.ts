import type { Room } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { createDueTimes, createFairClaims, dueIndex } from '@laurel/work';
import type { EventPosition } from './events';

const COLLECTION = 'webhook_replays';
const DUE = { column: 'lease_until', where: { status: 'pending' } };
const FREE = new Date(0);

/** A request to send a webhook the events of a time range again. */
export interface ReplayRow {
  _id: string;
  workspace_id: string;
  webhook_id: string;
  from: Date;
  to: Date;
  event_types: string[];
  status: 'pending' | 'completed';
  /** The last event that has been looked at. */
  position: EventPosition;
  lease_until: Date;
  expires_at: Date;
}

export const replayIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    dueIndex(DUE),
    { key: { workspace_id: 1, webhook_id: 1 }, name: 'webhook' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
};

export type ReplayStore = ReturnType<typeof createReplayStore>;

export function createReplayStore(connection: Connection) {
  const rows = connection.collection<ReplayRow>(COLLECTION);
  const claim = createFairClaims<ReplayRow>(connection, COLLECTION, DUE);

  const due = createDueTimes(connection, COLLECTION, DUE);

  return {
    /** When replays may be gone on with. */
    due,

    async insert(row: Omit<ReplayRow, 'lease_until'>, session: Session): Promise<void> {
      due.wake(session);
      await rows.insertOne({ ...row, lease_until: FREE }, { session });
    },

    /** Takes replays that nobody works on; workspaces take turns. */
    claim: (room: Room, leaseMs: number) => {
      const now = new Date();
      return claim(room, { now, until: new Date(now.getTime() + leaseMs) });
    },

    async advance(
      workspaceId: string,
      id: string,
      { position, leaseMs }: { position: EventPosition; leaseMs: number },
    ): Promise<void> {
      await rows.updateOne(
        { _id: id, workspace_id: workspaceId },
        { $set: { position, lease_until: new Date(Date.now() + leaseMs) } },
      );
      if (leaseMs === 0) due.wake();
    },

    complete: (workspaceId: string, id: string) =>
      rows.updateOne({ _id: id, workspace_id: workspaceId }, { $set: { status: 'completed' } }),

    removeWebhook: (workspaceId: string, webhookId: string) =>
      rows.deleteMany({ workspace_id: workspaceId, webhook_id: webhookId }),

    removeWorkspace: (workspaceId: string) => rows.deleteMany({ workspace_id: workspaceId }),
  };
}
