import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { EventPosition } from './events';

const DUE = { formerly: 'lease_until', where: { status: 'pending' } };

/** A request to send a webhook the events of a time range again. */
export interface ReplayRow {
  _id: string;
  workspace_id: string;
  webhook_id: string;
  from: Date;
  to: Date;
  event_types: string[];
  /** Also what rules called it with, which it gets whatever its types are. */
  with_calls?: boolean;
  status: 'pending' | 'completed';
  /** The last event that has been looked at. */
  position: EventPosition;
  /** When it is to be gone on with: also the end of the claim of the replica that does. Absent once it is completed. */
  due_at?: Date;
  lease?: string;
  expires_at: Date;
}

/** A replay in the hands of one worker. */
export type LeasedReplay = ReplayRow & { lease: string };

export const replays = collection<ReplayRow>('webhook_replays', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: {
    per: 'replay',
    end: 'RETENTION_WEBHOOK_EVENTS_DAYS (35)',
    shardKey: 'whole',
  },
  indexes: [
    // An earlier version has an index of the usual name, by its own column.
    dueIndex(DUE, 'open_in_turns'),
    { key: { workspace_id: 1, webhook_id: 1 }, name: 'webhook' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
  retired: ['due_in_turns'],
});

export function createReplayStore(connection: Connection) {
  const rows = replays.open(connection);
  const due = createDue<ReplayRow, LeasedReplay>(connection, replays.collection, {
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
    async advance(
      { _id, workspace_id, lease }: LeasedReplay,
      position: EventPosition,
    ): Promise<boolean> {
      const own = rows.of(workspace_id);
      const { matchedCount } = await own.updateOne({ _id, lease }, { $set: { position } });
      return matchedCount === 1;
    },

    /** Gives it back, so that others get their turn. */
    rest: (replay: LeasedReplay) => due.postpone(held(replay), new Date()),

    complete: (replay: LeasedReplay) => due.finish(held(replay), { $set: { status: 'completed' } }),

    removeWebhook: (workspaceId: string, webhookId: string) =>
      rows.of(workspaceId).deleteMany({ webhook_id: webhookId }),
  };
}
