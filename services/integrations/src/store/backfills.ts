import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import { integrationKey } from './outbound-job-rows';

/** That an outside system is still to hear of the clients there were when telling it was switched on. */
export interface BackfillRow {
  /** `<workspace id>:<provider>`. */
  _id: string;
  workspace_id: string;
  provider: string;
  /** Which time it was switched on: what is left of an earlier one is no progress of this one. */
  started_at: Date;
  /** Where the list of clients goes on; null at its beginning. */
  cursor: string | null;
  /** Also the end of the lease of the replica that works on it. */
  due_at: Date;
  lease?: string;
}

export type LeasedBackfill = BackfillRow & { lease: string };

export const backfills = collection<BackfillRow>('outbound_backfills', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: the clone tells nobody yet',
  growth: {
    per: 'provider',
    end: 'when all were told',
    shardKey: 'whole',
  },
  indexes: [dueIndex(), { key: { workspace_id: 1, provider: 1 }, name: 'provider' }],
});

export function createBackfillStore(connection: Connection) {
  const rows = backfills.open(connection);
  const held = ({ _id, lease }: LeasedBackfill) => ({ _id, lease });
  const due = createDue<BackfillRow, LeasedBackfill>(connection, backfills.collection, {
    read: (row) => row,
  });

  return {
    /** Walks over all clients that are to be gone on with. */
    due,

    /** Begins, or begins again, with the change that switched it on. */
    async start(
      workspaceId: string,
      provider: string,
      { now, session }: { now: Date; session: Session },
    ): Promise<void> {
      await rows
        .of(workspaceId)
        .replaceOne(
          { _id: integrationKey(workspaceId, provider) },
          { workspace_id: workspaceId, provider, started_at: now, cursor: null, due_at: now },
          { upsert: true, session },
        );
    },

    /** Gives it back: to be gone on with at that place, and not before that moment. */
    async goOn(row: LeasedBackfill, cursor: string | null, at: Date): Promise<void> {
      await due.postpone({ id: row._id, lease: row.lease }, at, { $set: { cursor } });
    },

    async finish(row: LeasedBackfill): Promise<void> {
      await rows.of(row.workspace_id).deleteOne(held(row));
    },

    isUnderWay: async (workspaceId: string, provider: string): Promise<boolean> =>
      (await rows.of(workspaceId).findOne({ provider }, { projection: { _id: 1 } })) !== null,

    removeProvider: (workspaceId: string, provider: string) =>
      rows.of(workspaceId).deleteMany({ provider }),
  };
}
