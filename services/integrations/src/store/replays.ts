import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { EventPosition } from './events';

const COLLECTION = 'webhook_replays';
const DUE = { formerly: 'lease_until', where: { status: 'pending' } };

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
  /** When it is to be gone on with: also the end of the claim of whoever does. Absent once it is completed. */
  due_at?: Date;
  lease?: string;
  expires_at: Date;
}

/** A replay in the hands of one worker. */
export type LeasedReplay = ReplayRow & { lease: string };

export const replayIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    // An earlier version has an index of the usual name, by its own column.
    dueIndex(DUE, 'open_in_turns'),
    { key: { workspace_id: 1, webhook_id: 1 }, name: 'webhook' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
};

export function createReplayStore(connection: Connection) {
  const rows = connection.collection<ReplayRow>(COLLECTION);
  const due = createDue<ReplayRow, LeasedReplay>(connection, COLLECTION, {
    ...DUE,
    read: (row) => row,
  });
  const held = ({ _id, lease }: LeasedReplay) => ({ id: _id, lease });

  return {
    /** Replays that are to be gone on with; workspaces take turns. */
    due,

    async insert(row: Omit<ReplayRow, 'due_at'>, session: Session): Promise<void> {
      due.wake(session);
      await rows.insertOne({ ...row, due_at: new Date() }, { session });
    },

    /** Notes how far it has come; false when it is in other hands. */
    async advance({ _id, lease }: LeasedReplay, position: EventPosition): Promise<boolean> {
      return (await rows.updateOne({ _id, lease }, { $set: { position } })).matchedCount === 1;
    },

    /** Gives it back, so that others get their turn. */
    rest: (replay: LeasedReplay) => due.postpone(held(replay), new Date()),

    complete: (replay: LeasedReplay) => due.finish(held(replay), { $set: { status: 'completed' } }),

    removeWebhook: (workspaceId: string, webhookId: string) =>
      rows.deleteMany({ workspace_id: workspaceId, webhook_id: webhookId }),

    removeWorkspace: (workspaceId: string) => rows.deleteMany({ workspace_id: workspaceId }),
  };
}
