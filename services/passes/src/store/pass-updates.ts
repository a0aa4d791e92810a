import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { createDue, dueIndex, type Wakes } from '@laurel/work';
import { pushing } from './metrics';
import { COALESCE_MS, type PassUpdate, type PassUpdateDocument } from './pass-update-document';
import { createUpdateEndings } from './pass-update-endings';
import { createWaitingUpdates } from './waiting-updates';

const DUE = { column: 'not_before', where: { pending: true } };

export const passUpdates = collection<PassUpdateDocument>('pass_updates', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: it is of passes, which are of clients',
  growth: {
    per: 'pass with a change',
    end: 'when phones have it',
    shardKey: 'hashed _id',
  },
  indexes: [
    dueIndex(DUE),
    { key: { workspace_id: 1 }, name: 'of_workspace' },
    { key: { workspace_id: 1, changed_at: -1, _id: -1 }, name: 'newest' },
    {
      key: { workspace_id: 1, waits_for: 1 },
      name: 'waiting_in_workspace',
      partialFilterExpression: { waits_for: { $exists: true } },
    },
  ],
});

/**
 * Which passes are to be drawn again on phones. However often it is asked for, a pass is pushed at most every 5
 * seconds, and the last thing asked for is never left out.
 */
export function createPassUpdateStore(connection: Connection) {
  const rows = passUpdates.open(connection);
  const due = createDue<PassUpdateDocument, PassUpdate>(connection, passUpdates.collection, {
    ...DUE,
    read: toUpdate,
  });
  const requests = createUpdateRequests(rows, due);
  return {
    /** Pushes that are due. */
    due,
    ...requests,
    ...createUpdateEndings(rows, due),
    ...createUpdateQuestions(rows),
    ...createWaitingUpdates(rows, due, requests.hasten),
  };
}

function createUpdateRequests(rows: Rows<PassUpdateDocument>, due: Wakes) {
  async function ask(
    workspaceId: string,
    { passIds, now }: { passIds: readonly string[]; now: Date },
    session?: Session,
  ): Promise<void> {
    if (passIds.length === 0) return;
    pushing.asked.inc(passIds.length);
    await rows
      .of(workspaceId)
      .updateMany(
        { _id: { $in: [...passIds] } },
        { $set: { pending: true, changed_at: now }, $inc: { asked: 1 } },
        { session },
      );
    due.wake(session);
    // What was pushed a moment ago may go when its five seconds are over.
    due.wake(session, new Date(now.getTime() + COALESCE_MS));
  }

  return {
    ask,

    /** The row of a new pass; written with it, so that asking never has to make one. */
    async insert(
      workspaceId: string,
      { passId, now }: { passId: string; now: Date },
      session: Session,
    ): Promise<void> {
      const row = { _id: passId, workspace_id: workspaceId, asked: 0 };
      await rows.insertOne({ ...row, not_before: now, changed_at: now }, { session });
    },

    /** As `ask`, of a pass that shows nothing new: a push that is owed waits and is given up as if it was not asked for. */
    async remind(workspaceId: string, passId: string, now: Date): Promise<void> {
      const owed = { _id: passId, pending: true as const };
      const { matchedCount } = await rows.of(workspaceId).updateOne(owed, { $inc: { asked: 1 } });
      if (matchedCount === 0) await ask(workspaceId, { passIds: [passId], now });
    },

    /** What waits for another try, and is in the hands of no worker, waits no longer than between any two pushes. */
    async hasten(workspaceId: string, passIds: readonly string[], now: Date): Promise<void> {
      const soon = new Date(now.getTime() + COALESCE_MS);
      const waiting = {
        pending: true as const,
        lease: { $exists: false },
        not_before: { $gt: soon },
      };
      await rows
        .of(workspaceId)
        .updateMany({ _id: { $in: [...passIds] }, ...waiting }, { $set: { not_before: soon } });
      due.wake(undefined, soon);
    },

    async remove(workspaceId: string, passId: string): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: passId });
    },
  };
}

function createUpdateQuestions(rows: Rows<PassUpdateDocument>) {
  return {
    /**
     * How many pushes of a workspace are due by now, counted up to `max`. What failed and waits for another try is
     * not among them: credentials that do not work must not stop what else a workspace does.
     */
    countDue: (workspaceId: string, now: Date, max: number): Promise<number> =>
      rows.of(workspaceId).count({ pending: true, not_before: { $lte: now } }, { limit: max }),

    /** When what the passes show last changed. */
    async changedAt(
      workspaceId: string,
      passIds: readonly string[],
    ): Promise<ReadonlyMap<string, Date>> {
      const projection = { changed_at: 1 };
      const found = rows.of(workspaceId).find({ _id: { $in: [...passIds] } }, { projection });
      return new Map((await found.toArray()).map((row) => [row._id, row.changed_at]));
    },
  };
}

function toUpdate({
  _id,
  workspace_id,
  asked,
  tried,
  changed_at,
  heard,
}: PassUpdateDocument): PassUpdate {
  return {
    passId: _id,
    workspaceId: workspace_id,
    asked,
    isRepeat: tried === asked,
    changedAt: changed_at,
    heard: heard ?? { apple: 0, google: 0 },
  };
}
