import { type Connection, collection, type Session } from '@laurel/mongo';

export interface PairingCodeRow {
  _id: string;
  workspace_id: string;
  mobile_user_id: string;
  /** Keyed digest: six digits alone would be found by trying them all. */
  code_digest: string;
  wrong_tries: number;
  created_at: Date;
  expires_at: Date;
}

export type NewPairingCode = Omit<PairingCodeRow, 'workspace_id' | 'wrong_tries'>;

/** Wrong tries after which a code is dead (part 3, section 2.1). */
const TRIES_MAX = 5;

export const pairingCodes = collection<PairingCodeRow>('pairing_codes', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: who may come in is decided anew',
  growth: {
    per: 'pairing of a phone',
    end: 'when it ends',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, mobile_user_id: 1 }, name: 'user' },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
  ],
});

/** Codes that may still be used; a used, revoked or replaced one is gone. */
export function createPairingCodeStore(connection: Connection) {
  const rows = pairingCodes.open(connection);
  return {
    /** Puts a code in the place of whatever the user had. */
    async replace(workspaceId: string, code: NewPairingCode, session: Session): Promise<void> {
      const user = { mobile_user_id: code.mobile_user_id };
      await rows.of(workspaceId).deleteMany(user, { session });
      await rows.insertOne({ ...code, workspace_id: workspaceId, wrong_tries: 0 }, { session });
    },

    /**
     * Takes one of a code's tries before it is compared, so that no number of guesses at once gets
     * more than five; null when the user has no code that is alive.
     */
    takeTry: (workspaceId: string, mobileUserId: string, now: Date) =>
      rows.of(workspaceId).findOneAndUpdate(
        {
          mobile_user_id: mobileUserId,
          expires_at: { $gt: now },
          wrong_tries: { $lt: TRIES_MAX },
        },
        { $inc: { wrong_tries: 1 } },
        { returnDocument: 'after' },
      ),

    /** Gives a try back that was not wrong, of a code that is still there. */
    async giveTryBack(workspaceId: string, id: string): Promise<void> {
      const taken = { _id: id, wrong_tries: { $gt: 0 } };
      await rows.of(workspaceId).updateOne(taken, { $inc: { wrong_tries: -1 } });
    },

    /** True for the one caller that uses the code. */
    async use(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const { deletedCount } = await rows.of(workspaceId).deleteOne({ _id: id }, { session });
      return deletedCount === 1;
    },

    async removeOfUser(workspaceId: string, mobileUserId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ mobile_user_id: mobileUserId }, { session });
    },
  };
}
