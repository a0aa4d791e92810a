import { type Connection, collection, orStale, type Session } from '@laurel/mongo';

export interface ApiTokenRow {
  /** The user: each has one token at most. */
  _id: string;
  token_sha256: string;
  created_at: Date;
  /** Made while the address of the account was unproven; absent on tokens from before this was kept. */
  made_unproven?: boolean;
  /** A stranger may hold it: the owner who proved the address set a new password after it was made (ADR 14). */
  suspect?: true;
}

export const apiTokens = collection<ApiTokenRow>('api_tokens', {
  tenant: 'none: of a user, who belongs to no workspace',
  person: 'nobody',
  growth: {
    per: 'token',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { token_sha256: 1 }, name: 'token', unique: true }],
});

export function createApiTokenStore(connection: Connection) {
  const rows = apiTokens.open(connection).ofEverybody;
  return {
    findOfUser: (userId: string, session?: Session) => rows.findOne({ _id: userId }, { session }),
    findByDigest: (sha256: string) => rows.findOne({ token_sha256: sha256 }),

    /**
     * Puts a token in the place of `previous` (null: of none); false when another came first. The caller's
     * transaction holds the user's credentials still.
     */
    async replace(
      userId: string,
      {
        previous,
        sha256,
        isProven,
        now,
      }: { previous: string | null; sha256: string; isProven: boolean; now: Date },
      session: Session,
    ): Promise<boolean> {
      const current = await rows.findOne({ _id: userId }, { session });
      if ((current?.token_sha256 ?? null) !== previous) return false;
      const put = rows.updateOne(
        { _id: userId },
        {
          $set: { token_sha256: sha256, created_at: now, made_unproven: !isProven },
          $unset: { suspect: '' },
        },
        { upsert: true, session },
      );
      await orStale('the token', put);
      return true;
    },

    /** Notes that a user's token may be somebody else's. */
    async suspect(userId: string, session: Session): Promise<void> {
      await rows.updateOne({ _id: userId }, { $set: { suspect: true } }, { session });
    },

    async removeSuspect(userId: string, session: Session): Promise<void> {
      await rows.deleteOne({ _id: userId, suspect: true }, { session });
    },

    /** Ends a user's token and returns its digest; null where there was none. */
    async removeOfUser(userId: string, session: Session): Promise<string | null> {
      const removed = await rows.findOneAndDelete({ _id: userId }, { session });
      return removed?.token_sha256 ?? null;
    },

    async remove(userId: string, sha256: string): Promise<void> {
      await rows.deleteOne({ _id: userId, token_sha256: sha256 });
    },
  };
}
