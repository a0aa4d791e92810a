import type { Collection, Connection, Session } from '@laurel/mongo';
import { createDue } from '@laurel/work';
import { integrationKey } from './outbound-job-rows';

/** A walk over what an outside system is to hear: one of a kind for each integration. */
export interface WalkRow {
  /** `<workspace id>:<provider>`. */
  _id: string;
  workspace_id: string;
  provider: string;
  /** When it was begun: what is left of an earlier one is no progress of this one. */
  started_at: Date;
  /** Where it goes on; null at its beginning. */
  cursor: string | null;
  /** Also the end of the lease of the replica that works on it. */
  due_at: Date;
  lease?: string;
}

export type LeasedWalk = WalkRow & { lease: string };

export function createWalkStore(connection: Connection, declared: Collection<WalkRow>) {
  const rows = declared.open(connection);
  const held = ({ _id, lease }: LeasedWalk) => ({ _id, lease });
  const due = createDue<WalkRow, LeasedWalk>(connection, declared.collection, {
    read: (row) => row,
  });

  return {
    /** Walks that are to be gone on with. */
    due,

    /** Begins, or begins again, with the change that it is for. */
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
    async goOn(row: LeasedWalk, cursor: string | null, at: Date): Promise<void> {
      await due.postpone({ id: row._id, lease: row.lease }, at, { $set: { cursor } });
    },

    async finish(row: LeasedWalk): Promise<void> {
      await rows.of(row.workspace_id).deleteOne(held(row));
    },

    isUnderWay: async (workspaceId: string, provider: string): Promise<boolean> =>
      (await rows.of(workspaceId).findOne({ provider }, { projection: { _id: 1 } })) !== null,

    /** Ends it with the integration that it is for, in the caller's transaction. */
    remove: (workspaceId: string, provider: string, session: Session) =>
      rows.of(workspaceId).deleteMany({ provider }, { session }),
  };
}
