import { type Connection, collection, type Session } from '@laurel/mongo';

export interface EmailVerificationRow {
  /** The user: each has one link at most, the newest. */
  _id: string;
  /** SHA-256 of the token in the link. */
  token_sha256: string;
  expires_at: Date;
}

export const emailVerifications = collection<EmailVerificationRow>('email_verifications', {
  tenant: 'none: of a user, who belongs to no workspace',
  person: 'nobody',
  growth: {
    per: 'mail that asks',
    end: 'when it ends',
    shardKey: 'whole',
  },
  indexes: [
    { key: { token_sha256: 1 }, name: 'token', unique: true },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
  ],
});

/** The mailed links by which people show that they read the mails of an address. */
export function createEmailVerificationStore(connection: Connection) {
  const rows = emailVerifications.open(connection).ofEverybody;
  return {
    /** Puts a link in the place of whatever the user had; the caller's transaction has written the user. */
    async put({ _id, ...link }: EmailVerificationRow, session: Session): Promise<void> {
      await rows.updateOne({ _id }, { $set: link }, { upsert: true, session });
    },
    /** Takes a live link out, for the one caller that uses it; null when there is none. */
    take: (sha256: string, now: Date, session: Session) =>
      rows.findOneAndDelete({ token_sha256: sha256, expires_at: { $gt: now } }, { session }),
    async remove(userId: string, session: Session): Promise<void> {
      await rows.deleteOne({ _id: userId }, { session });
    },
  };
}
