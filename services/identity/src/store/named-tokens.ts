import type { TokenScope } from '@laurel/contract';
import { type Connection, collection, type Session } from '@laurel/mongo';

export interface NamedTokenRow {
  _id: string;
  user_id: string;
  name: string;
  scope: TokenScope;
  /** The one workspace that it opens; null where it opens all of its user's. */
  bound_to: string | null;
  token_sha256: string;
  created_at: Date;
  /** To the minute. */
  last_used_at: Date | null;
  /** Null where it does not end by itself. */
  expires_at: Date | null;
  /** A stranger may hold it: the owner who proved the address set a new password after it was made (ADR 14). */
  suspect?: true;
}

/** For how long one that has ended is listed, so that its owner finds out why. */
const SHOWN_SECONDS = 30 * 86_400;

export const namedTokens = collection<NamedTokenRow>('named_tokens', {
  tenant: 'none: of a user, who belongs to no workspace',
  person: 'nobody',
  growth: {
    per: 'token',
    end: 'a month after it ends; revoked with what it is bound to',
    shardKey: 'whole',
  },
  indexes: [
    { key: { token_sha256: 1 }, name: 'token', unique: true },
    { key: { user_id: 1, created_at: -1 }, name: 'newest' },
    { key: { bound_to: 1 }, name: 'of_workspace' },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: SHOWN_SECONDS },
  ],
});

export function createNamedTokenStore(connection: Connection) {
  const rows = namedTokens.open(connection).ofEverybody;
  return {
    findByDigest: (sha256: string) => rows.findOne({ token_sha256: sha256 }),

    find: (userId: string, id: string) => rows.findOne({ _id: id, user_id: userId }),

    /** Newest first. */
    listOfUser: (userId: string, session?: Session) =>
      rows.find({ user_id: userId }, { session }).sort({ created_at: -1, _id: -1 }).toArray(),

    async insert(row: NamedTokenRow, session: Session): Promise<void> {
      await rows.insertOne(row, { session });
    },

    async touch(id: string, now: Date): Promise<void> {
      await rows.updateOne({ _id: id }, { $set: { last_used_at: now } });
    },

    /** False where it was gone already. */
    async remove(userId: string, id: string): Promise<boolean> {
      return (await rows.deleteOne({ _id: id, user_id: userId })).deletedCount === 1;
    },

    /** Ends all of a user's and returns their digests. */
    async removeOfUser(userId: string, session: Session): Promise<string[]> {
      const ended = await rows.find({ user_id: userId }, { session }).toArray();
      await rows.deleteMany({ _id: { $in: ended.map(({ _id }) => _id) } }, { session });
      return ended.map(({ token_sha256 }) => token_sha256);
    },

    /** Ends those that are bound to a workspace that is gone; they open nothing any more. */
    async removeOfWorkspace(workspaceId: string): Promise<void> {
      await rows.deleteMany({ bound_to: workspaceId });
    },

    /** Notes that those a user has now may be somebody else's. */
    async suspect(userId: string, session: Session): Promise<void> {
      await rows.updateMany({ user_id: userId }, { $set: { suspect: true } }, { session });
    },

    async removeSuspect(userId: string, session: Session): Promise<void> {
      await rows.deleteMany({ user_id: userId, suspect: true }, { session });
    },
  };
}
