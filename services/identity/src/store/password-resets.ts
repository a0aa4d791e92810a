import { newId } from '@laurel/lifecycle';
import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';

/** Somebody asked for a reset; whether the address has an account is looked up later. */
export interface ResetRequestRow {
  _id: string;
  email: string;
  /** Where the wish came from, as limits count it; absent in rows of earlier versions. */
  source?: string;
  due_at: Date;
}

export interface ResetRow {
  /** SHA-256 of the token in the link. */
  _id: string;
  user_id: string;
  created_at: Date;
  expires_at: Date;
}

/** Each request has a turn of its own. */
const DUE = { by: '_id' };

const OF_USER = 'none: of a user, who belongs to no workspace';

export const resetRequests = collection<ResetRequestRow>('reset_requests', {
  tenant: OF_USER,
  person: 'nobody',
  growth: { per: 'mail that waits', end: 'when it was sent', shardKey: 'whole' },
  indexes: [dueIndex(DUE)],
});
export const passwordResets = collection<ResetRow>('password_resets', {
  tenant: OF_USER,
  person: 'nobody',
  growth: { per: 'mail', end: 'when it ends', shardKey: 'whole' },
  indexes: [
    { key: { user_id: 1, created_at: 1 }, name: 'user' },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
  ],
});

export function createPasswordResetStore(connection: Connection) {
  const requests = resetRequests.open(connection).ofEverybody;
  const due = createDue<ResetRequestRow, ResetRequestRow>(connection, resetRequests.collection, {
    ...DUE,
    read: (row) => row,
  });
  const resets = passwordResets.open(connection).ofEverybody;
  return {
    /** Requests that wait to be answered. */
    due,

    async request(wish: { email: string; source: string }, now: Date): Promise<void> {
      await requests.insertOne({ _id: newId(), ...wish, due_at: now });
      due.wake();
    },
    async removeRequest(id: string, session?: Session): Promise<void> {
      await requests.deleteOne({ _id: id }, { session });
    },

    async insert(row: ResetRow, session: Session): Promise<void> {
      await resets.insertOne(row, { session });
    },
    find: (sha256: string) => resets.findOne({ _id: sha256 }),
    /** Takes a live reset out, and with it every other of the same user; null when there is none. */
    async take(sha256: string, now: Date, session: Session): Promise<ResetRow | null> {
      const row = await resets.findOneAndDelete(
        { _id: sha256, expires_at: { $gt: now } },
        { session },
      );
      if (row) await resets.deleteMany({ user_id: row.user_id }, { session });
      return row;
    },
    async removeOfUser(userId: string, session: Session): Promise<void> {
      await resets.deleteMany({ user_id: userId }, { session });
    },
  };
}
