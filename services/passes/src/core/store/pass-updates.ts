import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'pass_updates';
/** At most one push per pass in so long (part 3, section 10). */
export const COALESCE_MS = 5_000;
/** Whoever dies with a claim lets another try after this. */
const CLAIM_MS = 30_000;

export const passUpdateIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    {
      key: { not_before: 1 },
      name: 'due',
      partialFilterExpression: { pending: true },
    },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
};

/** A row per pass, as long as the pass lives. */
interface PassUpdateDocument {
  _id: string;
  workspace_id: string;
  /** There while a push is owed. */
  pending?: true;
  /** How often a push was asked for: one that is asked for during a push is not lost. */
  asked: number;
  /** The next push may not go before this; also the end of a claim. */
  not_before: Date;
  /** When what the pass shows last changed. */
  changed_at: Date;
}

/** A push that is owed, claimed for 30 seconds. */
export interface PassUpdate {
  passId: string;
  workspaceId: string;
  asked: number;
  changedAt: Date;
}

export type PassUpdateStore = ReturnType<typeof createPassUpdateStore>;

/**
 * Which passes are to be drawn again on phones. However often it is asked for, a pass is pushed at most every 5
 * seconds, and the last thing asked for is never left out.
 */
export function createPassUpdateStore(connection: Connection) {
  const updates = connection.collection<PassUpdateDocument>(COLLECTION);

  return {
    /** The row of a new pass; written with it, so that asking never has to make one. */
    async insert(workspaceId: string, passId: string, now: Date, session: Session): Promise<void> {
      const row = { _id: passId, workspace_id: workspaceId, asked: 0 };
      await updates.insertOne({ ...row, not_before: now, changed_at: now }, { session });
    },

    async ask(
      workspaceId: string,
      passIds: readonly string[],
      now: Date,
      session?: Session,
    ): Promise<void> {
      if (passIds.length === 0) return;
      await updates.updateMany(
        { _id: { $in: [...passIds] }, workspace_id: workspaceId },
        { $set: { pending: true, changed_at: now }, $inc: { asked: 1 } },
        session ? { session } : {},
      );
    },

    /** Takes one push that is due; nobody else gets it for 30 seconds. */
    async claim(now: Date): Promise<PassUpdate | null> {
      const row = await updates.findOneAndUpdate(
        { pending: true, not_before: { $lte: now } },
        { $set: { not_before: new Date(now.getTime() + CLAIM_MS) } },
        { returnDocument: 'after' },
      );
      if (!row) return null;
      const { _id, workspace_id, asked, changed_at } = row;
      return { passId: _id, workspaceId: workspace_id, asked, changedAt: changed_at };
    },

    /** Ends a claim: what was asked for up to it is done, what came during it is due in 5 seconds. */
    async settle({ passId, asked }: PassUpdate, pushedAt: Date): Promise<void> {
      const next = { not_before: new Date(pushedAt.getTime() + COALESCE_MS) };
      const settled = await updates.updateOne(
        { _id: passId, asked },
        { $set: next, $unset: { pending: '' } },
      );
      if (settled.matchedCount === 0) await updates.updateOne({ _id: passId }, { $set: next });
    },

    /** Gives a claim back for another try, not before `retryAt`. */
    async postpone({ passId }: PassUpdate, retryAt: Date): Promise<void> {
      await updates.updateOne({ _id: passId }, { $set: { not_before: retryAt } });
    },

    /** How many pushes are owed, counted up to `max`. */
    async countPending(max: number): Promise<number> {
      return updates.countDocuments({ pending: true }, { limit: max });
    },

    /** When what the passes show last changed. */
    async changedAt(
      workspaceId: string,
      passIds: readonly string[],
    ): Promise<ReadonlyMap<string, Date>> {
      const filter = { _id: { $in: [...passIds] }, workspace_id: workspaceId };
      const rows = await updates.find(filter, { projection: { changed_at: 1 } }).toArray();
      return new Map(rows.map((row) => [row._id, row.changed_at]));
    },

    async remove(workspaceId: string, passId: string, session: Session): Promise<void> {
      await updates.deleteOne({ _id: passId, workspace_id: workspaceId }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await updates.deleteMany({ workspace_id: workspaceId });
    },
  };
}
