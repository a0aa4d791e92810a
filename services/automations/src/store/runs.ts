import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';

const DUE = { column: 'leased_until' };
const KEPT_SECONDS = 90 * 86_400;

/** One due moment of a time_based rule, worked through client by client. */
export interface Run {
  /** Made from rule and moment: one moment is one run. */
  id: string;
  workspaceId: string;
  ruleId: string;
  dueAt: Date;
  /** Where to go on in the list of clients; null at its start. */
  cursor: string | null;
  /** All clients were read; what is left are pages that somebody works on. */
  isRead?: true;
}

/** A run in the hands of one worker. */
export type ClaimedRun = Run & { lease: string };

interface RunDocument {
  _id: string;
  workspace_id: string;
  rule_id: string;
  due_at: Date;
  cursor: string | null;
  is_read?: true;
  created_at: Date;
  finished_at?: Date;
  /** Absent once finished. */
  leased_until?: Date;
  lease: string | null;
}

export const runs = collection<RunDocument>('runs', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: {
    per: 'due moment of a rule',
    end: '90 days after its end',
    shardKey: 'whole',
  },
  indexes: [
    dueIndex(DUE),
    { key: { finished_at: 1 }, name: 'finished_ttl', expireAfterSeconds: KEPT_SECONDS },
    { key: { workspace_id: 1, rule_id: 1 }, name: 'of_rule' },
  ],
});

const FREE = new Date(0);

export function createRunStore(connection: Connection) {
  const rows = runs.open(connection);
  const held = ({ id, lease }: ClaimedRun) => ({
    _id: id,
    lease,
  });
  const due = createDue<RunDocument, ClaimedRun>(connection, runs.collection, {
    ...DUE,
    read: (document) => ({ ...toRun(document), lease: document.lease }),
  });

  return {
    /** Runs that may be worked on. */
    due,

    async insert(run: Run, now: Date, session: Session): Promise<void> {
      due.wake(session);
      await rows.insertOne(
        {
          _id: run.id,
          workspace_id: run.workspaceId,
          rule_id: run.ruleId,
          due_at: run.dueAt,
          cursor: run.cursor,
          created_at: now,
          leased_until: FREE,
          lease: null,
        },
        { session },
      );
    },

    async find(workspaceId: string, id: string): Promise<Run | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id });
      return document && toRun(document);
    },

    /** Notes how far a run was read; false when it was taken over. */
    async advance(run: ClaimedRun, session: Session): Promise<boolean> {
      const { cursor, isRead } = run;
      const change = { $set: { cursor, ...(isRead ? { is_read: isRead } : {}) } };
      const { matchedCount } = await rows
        .of(run.workspaceId)
        .updateOne(held(run), change, { session });
      return matchedCount === 1;
    },

    /** Gives a run back that is to go on when its turn comes again. */
    async release(run: ClaimedRun, now: Date): Promise<void> {
      await due.postpone(run, now);
    },

    async finish(run: ClaimedRun, now: Date): Promise<void> {
      await due.finish(run, { $set: { finished_at: now } });
    },

    async removeRule(workspaceId: string, ruleId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ rule_id: ruleId }, { session });
    },
  };
}

function toRun({ _id, workspace_id, rule_id, due_at, cursor, is_read }: RunDocument): Run {
  const run = { id: _id, workspaceId: workspace_id, ruleId: rule_id, dueAt: due_at, cursor };
  return is_read ? { ...run, isRead: is_read } : run;
}
