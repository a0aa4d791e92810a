import { type CollectionIndexes, type Connection, orStale, type Session } from '@laurel/mongo';

const COLLECTION = 'inboxes';

/** Where a provider's messages arrive. Its token is kept as a digest only. */
export interface InboxRow {
  _id: string;
  workspace_id: string;
  provider: string;
  token_digest: string;
  date_created: Date;
  rotated_at: Date;
}

export const inboxIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, provider: 1 }, name: 'once_per_provider', unique: true }],
};

export function createInboxStore(connection: Connection) {
  const rows = connection.collection<InboxRow>(COLLECTION);

  return {
    /** For whoever posts to an inbox, and knows nothing but its address. */
    byToken: (id: string, tokenDigest: string) =>
      rows.findOne({ _id: id, token_digest: tokenDigest }),

    async isThere(workspaceId: string, id: string, session?: Session): Promise<boolean> {
      const options = { projection: { _id: 1 }, ...(session ? { session } : {}) };
      return (await rows.findOne({ _id: id, workspace_id: workspaceId }, options)) !== null;
    },

    /** Fails as a StaleWrite when somebody else made one first. */
    insert: (row: InboxRow, session: Session) =>
      orStale('the inbox', rows.insertOne(row, { session })),

    /** False when there is no such inbox. */
    async rotate(
      workspaceId: string,
      id: string,
      { tokenDigest, now }: { tokenDigest: string; now: Date },
    ): Promise<boolean> {
      const { matchedCount } = await rows.updateOne(
        { _id: id, workspace_id: workspaceId },
        { $set: { token_digest: tokenDigest, rotated_at: now } },
      );
      return matchedCount === 1;
    },

    remove: (workspaceId: string, provider: string, session: Session) =>
      rows.deleteMany({ workspace_id: workspaceId, provider }, { session }),

    removeWorkspace: (workspaceId: string) => rows.deleteMany({ workspace_id: workspaceId }),
  };
}
