import { newId } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

/** Somebody asked for a reset; whether the address has an account is looked up later. */
export interface ResetRequestRow {
  _id: string;
  email: string;
  due_at: Date;
}

export interface ResetRow {
  /** SHA-256 of the token in the link. */
  _id: string;
  user_id: string;
  created_at: Date;
  expires_at: Date;
}

export const passwordResetIndexes: readonly CollectionIndexes[] = [
  { collection: 'reset_requests', indexes: [{ key: { due_at: 1 }, name: 'due' }] },
  {
    collection: 'password_resets',
    indexes: [
      { key: { user_id: 1, created_at: 1 }, name: 'user' },
      { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    ],
  },
];

const LEASE_MS = 60_000;

export function createPasswordResetStore(connection: Connection) {
  const requests = connection.collection<ResetRequestRow>('reset_requests');
  const resets = connection.collection<ResetRow>('password_resets');
  return {
    async request(email: string, now: Date): Promise<void> {
      await requests.insertOne({ _id: newId(), email, due_at: now });
    },
    claimRequest: (now: Date) =>
      requests.findOneAndUpdate(
        { due_at: { $lte: now } },
        { $set: { due_at: new Date(now.getTime() + LEASE_MS) } },
        { sort: { due_at: 1 } },
      ),
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
  };
}

export type PasswordResetStore = ReturnType<typeof createPasswordResetStore>;
