import { type Connection, collection, type Session } from '@laurel/mongo';

export interface SessionRow {
  _id: string;
  user_id: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** When it was opened or last refreshed; absent on sessions from before that was kept. */
  last_active_at?: Date;
  /** What the program that signed in called itself; absent where it did not. */
  device?: string;
  /** Set where the refresh token lives in a cookie; such a token is no good anywhere else. */
  of_page?: true;
}

/** For how long one that has ended is known: a file that was being fetched with it goes on, unless it was revoked. */
const ENDED_SECONDS = 86_400;

export const sessions = collection<SessionRow>('sessions', {
  tenant: 'none: of a user, who belongs to no workspace',
  person: 'nobody',
  growth: {
    per: 'login',
    end: 'a day after it ends',
    shardKey: 'whole',
  },
  indexes: [
    { key: { user_id: 1, revoked_at: 1 }, name: 'user' },
    // Downwards: an index of before is there until it is pruned, and no server takes two of one key.
    { key: { expires_at: -1 }, name: 'ended_ttl', expireAfterSeconds: ENDED_SECONDS },
  ],
  retired: ['expires_at_ttl'],
});

/** A login and everything that was refreshed from it: one family, ended as one. */
export function createSessionStore(connection: Connection) {
  const rows = sessions.open(connection).ofEverybody;
  return {
    async insert(row: Omit<SessionRow, 'revoked_at'>, session: Session): Promise<void> {
      await rows.insertOne({ ...row, revoked_at: null }, { session });
    },

    findLive: (id: string, now: Date, session?: Session) =>
      rows.findOne({ _id: id, revoked_at: null, expires_at: { $gt: now } }, { session }),

    /** False when the session ended meanwhile. */
    async extend(
      id: string,
      { now, expiresAt }: { now: Date; expiresAt: Date },
      session: Session,
    ): Promise<boolean> {
      const { matchedCount } = await rows.updateOne(
        { _id: id, revoked_at: null, expires_at: { $gt: now } },
        { $set: { expires_at: expiresAt, last_active_at: now } },
        { session },
      );
      return matchedCount === 1;
    },

    async revoke(id: string, now: Date, session?: Session): Promise<void> {
      await rows.updateOne(
        { _id: id, revoked_at: null },
        { $set: { revoked_at: now } },
        { session },
      );
    },

    /**
     * Ends a user's sessions, but for one if wanted, and returns the ids of those it ended. Those that had ended by themselves
     * are revoked as well, for what goes on after that.
     */
    async revokeAll(
      userId: string,
      { except, now, session }: { except?: string | undefined; now: Date; session: Session },
    ): Promise<string[]> {
      const found = await rows
        .find({ user_id: userId, revoked_at: null }, { session, projection: { expires_at: 1 } })
        .toArray();
      const revoked = found.filter(({ _id }) => _id !== except);
      const ids = revoked.map(({ _id }) => _id);
      await rows.updateMany({ _id: { $in: ids } }, { $set: { revoked_at: now } }, { session });
      return revoked.filter(({ expires_at }) => expires_at > now).map(({ _id }) => _id);
    },

    /** Those of a user that are still good. */
    listLive: (userId: string, now: Date) =>
      rows.find({ user_id: userId, revoked_at: null, expires_at: { $gt: now } }).toArray(),

    /** Ends one session of a user; false where the user has none of that id that is still good. */
    async revokeOf(userId: string, id: string, now: Date): Promise<boolean> {
      const { matchedCount } = await rows.updateOne(
        { _id: id, user_id: userId, revoked_at: null, expires_at: { $gt: now } },
        { $set: { revoked_at: now } },
      );
      return matchedCount === 1;
    },

    async liveIds(userId: string, now: Date): Promise<string[]> {
      const isLive = { user_id: userId, revoked_at: null, expires_at: { $gt: now } };
      const live = await rows.find(isLive, { projection: { _id: 1 } }).toArray();
      return live.map((row) => row._id);
    },
  };
}
