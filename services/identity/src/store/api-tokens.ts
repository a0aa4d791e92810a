import { type CollectionIndexes, type Connection, isDuplicateKey } from '@laurel/mongo';

export interface ApiTokenRow {
  /** The user: each has one token at most. */
  _id: string;
  token_sha256: string;
  created_at: Date;
}

export const apiTokenIndexes: CollectionIndexes = {
  collection: 'api_tokens',
  indexes: [{ key: { token_sha256: 1 }, name: 'token', unique: true }],
};

export function createApiTokenStore(connection: Connection) {
  const rows = connection.collection<ApiTokenRow>('api_tokens');
  return {
    findOfUser: (userId: string) => rows.findOne({ _id: userId }),
    findByDigest: (sha256: string) => rows.findOne({ token_sha256: sha256 }),

    /** Puts a token in the place of `previous` (null: of none); false when another came first. */
    async replace(
      userId: string,
      previous: string | null,
      sha256: string,
      now: Date,
    ): Promise<boolean> {
      if (previous !== null) {
        const { matchedCount } = await rows.updateOne(
          { _id: userId, token_sha256: previous },
          { $set: { token_sha256: sha256, created_at: now } },
        );
        return matchedCount === 1;
      }
      try {
        await rows.insertOne({ _id: userId, token_sha256: sha256, created_at: now });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async remove(userId: string, sha256: string): Promise<void> {
      await rows.deleteOne({ _id: userId, token_sha256: sha256 });
    },
  };
}

export type ApiTokenStore = ReturnType<typeof createApiTokenStore>;
