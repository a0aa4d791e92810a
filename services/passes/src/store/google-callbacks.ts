import { type Connection, collection, orStale, type Session } from '@laurel/mongo';

export const googleCallbacks = collection<CallbackDocument>('google_callbacks', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: {
    per: 'message of Google',
    end: 'when it could no longer come again',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
});

interface CallbackDocument {
  _id: string;
  workspace_id: string;
  expires_at: Date;
}

/** Which messages of Google were heeded, until they expire by themselves: one that was caught cannot be sent again. */
export function createGoogleCallbackStore(connection: Connection) {
  const rows = googleCallbacks.open(connection);

  return {
    /** Notes a message in the transaction that heeds it; false where it was heeded before. */
    async heed(
      workspaceId: string,
      { digest, expiresAt }: { digest: string; expiresAt: Date },
      session: Session,
    ): Promise<boolean> {
      const noted = rows
        .of(workspaceId)
        .updateOne(
          { _id: digest },
          { $setOnInsert: { expires_at: expiresAt } },
          { upsert: true, session },
        );
      const { upsertedCount } = await orStale('the message of Google', noted);
      return upsertedCount === 1;
    },
  };
}
