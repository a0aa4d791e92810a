import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { createDue, dueIndex, type Wakes } from '@laurel/work';
import { pushing } from './metrics';
import type { PassUpdateDocument, PushOutcome } from './pass-update-document';
import { createWaitingUpdates } from './waiting-updates';

const DUE = { column: 'not_before', where: { pending: true } };
/** At most one push per pass in so long (part 3, section 10). */
export const COALESCE_MS = 5_000;

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

/** A push that is owed, in the hands of one worker. */
export interface PassUpdate {
  passId: string;
  workspaceId: string;
  asked: number;
  /** Nothing was asked for since a push failed. */
  isRepeat: boolean;
  changedAt: Date;
}

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

export interface Ending {
  outcome?: Pick<PushOutcome, 'status' | 'attempts' | 'error'>;
  waitsFor?: (passId: string) => readonly string[];
}

export interface Retry {
  update: PassUpdate;
  retryAt: Date;
  waitsFor: readonly string[];
}

/** A try that met something else first may say nothing of what another one waits for: then that stays. */
const waiting = (waitsFor: readonly string[]) =>
  waitsFor.length === 0 ? {} : { waits_for: waitsFor };

/** What the replica that has claimed pushes writes. */
function createUpdateEndings(rows: Rows<PassUpdateDocument>, due: Wakes) {
  return {
    /**
     * Ends claims: what was asked for up to them is done, what came during them is due in 5 seconds. `outcome` is noted
     * for those who look at pushes; without one what was noted stays. `waitsFor` names the credentials that passes are to
     * be pushed again with once they are there; where none is given they have heard all.
     */
    async settle(
      done: readonly PassUpdate[],
      pushedAt: Date,
      { outcome, waitsFor }: Ending = {},
    ): Promise<void> {
      if (done.length === 0) return;
      const next = {
        not_before: new Date(pushedAt.getTime() + COALESCE_MS),
        ...(outcome ? { outcome: { ...outcome, at: pushedAt } } : {}),
      };
      const ended = { pending: '', lease: '' } as const;
      const { matchedCount } = await rows.bulkWrite(
        done.map(({ passId, asked }) => {
          const update = waitsFor
            ? { $set: { ...next, ...waiting(waitsFor(passId)) }, $unset: ended }
            : { $set: next, $unset: { ...ended, waits_for: '' as const } };
          return { updateOne: { filter: { _id: passId, asked }, update } };
        }),
        { ordered: false },
      );
      if (matchedCount === done.length) return;
      const askedAgain = { _id: { $in: done.map(({ passId }) => passId) }, pending: true as const };
      await rows.ofEverybody.updateMany(askedAgain, { $set: next, $unset: { lease: '' } });
      await askOvertaken(rows, done, next.not_before);
      due.wake(undefined, next.not_before);
    },

    /** Gives claims back for another try, none before its `retryAt`; `waitsFor` as for `settle`. */
    async postpone(retries: readonly Retry[]): Promise<void> {
      if (retries.length === 0) return;
      await rows.bulkWrite(
        retries.map(({ update: { passId, asked }, retryAt, waitsFor }) => ({
          updateOne: {
            filter: { _id: passId },
            update: {
              $set: { not_before: retryAt, tried: asked, ...waiting(waitsFor) },
              $unset: { lease: '' },
            },
          },
        })),
        { ordered: false },
      );
      for (const { retryAt } of retries) due.wake(undefined, retryAt);
    },
  };
}

/**
 * Of a claim that had ended another replica may have pushed something newer before what this one sent arrived: it is pushed
 * once more, so that the last thing that a wallet hears is how the pass is.
 */
async function askOvertaken(
  rows: Rows<PassUpdateDocument>,
  done: readonly PassUpdate[],
  notBefore: Date,
): Promise<void> {
  const again = { $set: { pending: true as const, not_before: notBefore }, $inc: { asked: 1 } };
  await rows.bulkWrite(
    done.map(({ passId, asked }) => ({
      updateOne: {
        filter: { _id: passId, asked: { $gt: asked }, pending: { $exists: false } },
        update: again,
      },
    })),
    { ordered: false },
  );
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

function toUpdate({ _id, workspace_id, asked, tried, changed_at }: PassUpdateDocument): PassUpdate {
  return {
    passId: _id,
    workspaceId: workspace_id,
    asked,
    isRepeat: tried === asked,
    changedAt: changed_at,
  };
}
