import type { Actor } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  isDuplicateKey,
  type Rows,
  type Session,
} from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import { refusals } from '../refusals';

const KEPT_SECONDS = 30 * 86_400;

/** A workspace that is being made like another, or was (docs/adr/0042). */
export interface CloneRow {
  /** Of the workspace that is made. */
  _id: string;
  /** The source. */
  workspace_id: string;
  name: string;
  /** Whose it will be. */
  user_id: string;
  actor: Actor;
  request_id: string;
  sandbox: boolean;
  /** How many clients it was asked to bring at most, and how many of them are there. */
  members: number;
  members_copied: number;
  /** The last client of the source that is there; null before the first. */
  cursor: string | null;
  status: 'copying' | 'ready' | 'failed';
  problem: string | null;
  created_at: Date;
  /** When it was ready or given up. */
  ended_at: Date | null;
  due_at?: Date;
}

/** A row whose clone is in the hands of one worker. */
export type ClaimedClone = CloneRow & { lease: string };

export const workspaceClones = collection<CloneRow>('workspace_clones', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: { per: 'clone of a workspace', end: '30 days after it ended', shardKey: 'whole' },
  indexes: [
    dueIndex(),
    {
      key: { workspace_id: 1 },
      name: 'one_at_a_time',
      unique: true,
      partialFilterExpression: { status: 'copying' },
    },
    { key: { ended_at: 1 }, name: 'ended_at_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
});

export function createCloneStore(connection: Connection) {
  const rows = workspaceClones.open(connection);
  const due = createDue<CloneRow, ClaimedClone>(connection, workspaceClones.collection, {
    read: (row) => row,
  });

  return {
    /** Clones that wait for a worker. */
    due,

    ...endsOf(rows),

    /** Throws where another of this source is under way. */
    async insert(row: CloneRow, session: Session): Promise<void> {
      due.wake(session);
      try {
        await rows.insertOne({ ...row, due_at: row.created_at }, { session });
      } catch (error) {
        if (isDuplicateKey(error, 'workspace_id')) throw refusals.cloneUnderWay();
        throw error;
      }
    },

    find: (workspaceId: string, id: string) => rows.of(workspaceId).findOne({ _id: id }),

    /** Notes how far the clients have come; false when the claim was lost. */
    async note(
      { workspace_id, _id, lease }: ClaimedClone,
      progress: Pick<CloneRow, 'members_copied' | 'cursor'>,
    ): Promise<boolean> {
      const held: object = { _id, lease };
      const { matchedCount } = await rows.of(workspace_id).updateOne(held, { $set: progress });
      return matchedCount === 1;
    },

    /** Gives one back, to be taken up at a moment. */
    release: ({ _id, lease }: ClaimedClone, at: Date) => due.postpone({ id: _id, lease }, at),
  };
}

function endsOf(rows: Rows<CloneRow>) {
  return {
    underWay: (workspaceId: string, session?: Session) =>
      rows.of(workspaceId).find({ status: 'copying' }, { session }).toArray(),

    /** Ends one that is under way, by any worker, or only where `lease` is still held; false where it is not so any more. */
    async end(
      { workspace_id, _id, lease }: CloneRow & { lease?: string },
      { problem, now }: { problem: string | null; now: Date },
      session: Session,
    ): Promise<boolean> {
      const held: object = { _id, status: 'copying', ...(lease === undefined ? {} : { lease }) };
      const status = problem === null ? 'ready' : 'failed';
      const change: object = {
        $set: { status, problem, ended_at: now },
        $unset: { due_at: '', lease: '' },
      };
      const { matchedCount } = await rows.of(workspace_id).updateOne(held, change, { session });
      return matchedCount === 1;
    },
  };
}
