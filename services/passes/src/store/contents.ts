import { type Connection, collection, isDuplicateKey } from '@laurel/mongo';

const SECOND_MS = 1_000;

export const contents = collection<ContentDocument>('wallet_contents', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: it is of passes, which are of clients',
  growth: {
    per: 'pass',
    end: 'stays: goes with its pass',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
});

interface ContentDocument {
  _id: string;
  workspace_id: string;
  digest: string;
  changed_at: Date;
  /** Whether it has shown something else before, which a phone may have; absent on rows from before that was kept. */
  varied?: boolean;
}

/**
 * When what a pass shows last changed, found by comparing what is drawn with what was drawn before: whatever the cause
 * of a change, no phone hears that nothing changed when something did.
 */
export function createContentStore(connection: Connection) {
  const rows = contents.open(connection);

  return {
    /** The digest of what a pass has shown whenever it was drawn for a phone; null where it never was, or showed several things. */
    async onlyDigestOf(workspaceId: string, passId: string): Promise<string | null> {
      const known = await rows.of(workspaceId).findOne({ _id: passId });
      return known?.varied === false ? known.digest : null;
    },

    /** Remembers what a pass shows now. Whole seconds, because HTTP dates have no smaller ones; each change has another. */
    async note(
      workspaceId: string,
      { passId, digest }: { passId: string; digest: string },
      now: Date,
    ): Promise<{ changedAt: Date; changed: boolean }> {
      for (;;) {
        const known = await rows.of(workspaceId).findOne({ _id: passId });
        if (known?.digest === digest) return { changedAt: known.changed_at, changed: false };
        const changedAt = nextSecond(now, known?.changed_at);
        const columns = { digest, changed_at: changedAt };
        if (known) {
          const written = await rows
            .of(workspaceId)
            .updateOne(
              { _id: passId, digest: known.digest, changed_at: known.changed_at },
              { $set: { ...columns, varied: true } },
            );
          if (written.matchedCount === 1) return { changedAt, changed: true };
          continue;
        }
        try {
          const first = { _id: passId, workspace_id: workspaceId, ...columns, varied: false };
          await rows.insertOne(first);
          return { changedAt, changed: true };
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    /**
     * As `note`, for many passes: two commands, however many. What somebody else noted meanwhile is looked at again
     * by itself.
     *
     * @param digests what each pass shows now, by its id
     */
    async noteAll(
      workspaceId: string,
      digests: ReadonlyMap<string, string>,
      now: Date,
    ): Promise<void> {
      const ids = [...digests.keys()];
      const own = rows.of(workspaceId).find({ _id: { $in: ids } });
      const known = ids.length === 0 ? [] : await own.toArray();
      const knownBy = new Map(known.map((row) => [row._id, row]));
      const changes = [...digests].flatMap(([_id, digest]): Write[] => {
        const before = knownBy.get(_id);
        if (before?.digest === digest) return [];
        const columns = { digest, changed_at: nextSecond(now, before?.changed_at) };
        return before
          ? [guarded(before, columns)]
          : [first(_id, { workspace_id: workspaceId, ...columns, varied: false })];
      });
      if (changes.length === 0) return;
      const { modifiedCount, upsertedCount } = await rows.bulkWrite(changes, {
        ordered: false,
      });
      if (modifiedCount + upsertedCount === changes.length) return;
      for (const [passId, digest] of digests) await this.note(workspaceId, { passId, digest }, now);
    },

    async remove(workspaceId: string, passId: string): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: passId });
    },
  };
}

type Columns = Partial<Omit<ContentDocument, '_id'>>;
interface Write {
  updateOne: {
    filter: Partial<ContentDocument>;
    update: { $set: Columns } | { $setOnInsert: Columns };
    upsert?: boolean;
  };
}

const guarded = ({ _id, digest, changed_at }: ContentDocument, columns: Columns): Write => ({
  updateOne: {
    filter: { _id, digest, changed_at },
    update: { $set: { ...columns, varied: true } },
  },
});

const first = (_id: string, columns: Columns): Write => ({
  updateOne: { filter: { _id }, update: { $setOnInsert: columns }, upsert: true },
});

/** This second, or the one after the last change when that is later. */
function nextSecond(now: Date, last: Date | undefined): Date {
  const second = Math.floor(now.getTime() / SECOND_MS) * SECOND_MS;
  return new Date(last ? Math.max(second, last.getTime() + SECOND_MS) : second);
}
