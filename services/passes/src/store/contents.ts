import { type CollectionIndexes, type Connection, isDuplicateKey } from '@laurel/mongo';

const COLLECTION = 'wallet_contents';
const SECOND_MS = 1_000;

export const contentIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
};

interface ContentDocument {
  _id: string;
  workspace_id: string;
  digest: string;
  changed_at: Date;
}

/**
 * When what a pass shows last changed, found by comparing what is drawn with what was drawn before: whatever the cause
 * of a change, no phone is told that nothing changed when something did.
 */
export function createContentStore(connection: Connection) {
  const contents = connection.collection<ContentDocument>(COLLECTION);

  return {
    /** Remembers what a pass shows now. Whole seconds, because HTTP dates have no smaller ones; each change has another. */
    async note(
      workspaceId: string,
      passId: string,
      digest: string,
      now: Date,
    ): Promise<{ changedAt: Date; changed: boolean }> {
      for (;;) {
        const known = await contents.findOne({ _id: passId, workspace_id: workspaceId });
        if (known?.digest === digest) return { changedAt: known.changed_at, changed: false };
        const changedAt = nextSecond(now, known?.changed_at);
        const columns = { digest, changed_at: changedAt };
        if (known) {
          const written = await contents.updateOne(
            { _id: passId, digest: known.digest, changed_at: known.changed_at },
            { $set: columns },
          );
          if (written.matchedCount === 1) return { changedAt, changed: true };
          continue;
        }
        try {
          await contents.insertOne({ _id: passId, workspace_id: workspaceId, ...columns });
          return { changedAt, changed: true };
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    async remove(workspaceId: string, passId: string): Promise<void> {
      await contents.deleteOne({ _id: passId, workspace_id: workspaceId });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await contents.deleteMany({ workspace_id: workspaceId });
    },
  };
}

/** This second, or the one after the last change when that is later. */
function nextSecond(now: Date, last: Date | undefined): Date {
  const second = Math.floor(now.getTime() / SECOND_MS) * SECOND_MS;
  return new Date(last ? Math.max(second, last.getTime() + SECOND_MS) : second);
}
