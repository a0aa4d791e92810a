import { type Connection, collection, orStale, type Session } from '@laurel/mongo';

/** Where a provider's messages arrive. Its token is kept as a digest only. */
export interface InboxRow {
  _id: string;
  workspace_id: string;
  provider: string;
  token_digest: string;
  date_created: Date;
  rotated_at: Date;
}

export const inboxes = collection<InboxRow>('inboxes', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: other systems go on writing to the source',
  growth: {
    per: 'provider',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1, provider: 1 }, name: 'once_per_provider', unique: true }],
});

export function createInboxStore(connection: Connection) {
  const rows = inboxes.open(connection);

  return {
    /** For those who post to an inbox, and know nothing but its address. */
    byToken: (id: string, tokenDigest: string) =>
      rows.ofEverybody.findOne({ _id: id, token_digest: tokenDigest }),

    async isThere(workspaceId: string, id: string, session?: Session): Promise<boolean> {
      const options = { projection: { _id: 1 }, ...(session ? { session } : {}) };
      return (await rows.of(workspaceId).findOne({ _id: id }, options)) !== null;
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
      const { matchedCount } = await rows
        .of(workspaceId)
        .updateOne({ _id: id }, { $set: { token_digest: tokenDigest, rotated_at: now } });
      return matchedCount === 1;
    },

    remove: (workspaceId: string, provider: string, session: Session) =>
      rows.of(workspaceId).deleteMany({ provider }, { session }),
  };
}
