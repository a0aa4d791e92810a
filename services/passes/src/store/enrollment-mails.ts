import { type Connection, collection } from '@laurel/mongo';
import { type ClaimDocument, claim } from './claims';

const KEPT_MS = 2 * 86_400_000;

const COUNTS = 'stays: how often somebody was written to, for two days';

export const enrollmentMails = collection<ClaimDocument>('enrollment_mails', {
  tenant: 'workspace_id',
  person: {
    column: 'none: ids and digests are part of names',
    merged: COUNTS,
    anonymized: COUNTS,
    deleted: 'as anonymized',
    exported: 'withheld: counts of two days',
  },
  growth: {
    per: 'address and day',
    end: '2 days',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
});

/** A mail because of a form: to whom it goes, for which enrollment, and who filled that in. */
export interface EnrollmentMail {
  clientId: string;
  enrollmentId: string;
  /** The digest of an address, or of a phone. */
  to: string;
  /** The digest of where the form came from; null where no stranger can have sent it. */
  source: string | null;
}

/** How many there may be on one day (UTC). */
export interface EnrollmentMailLimits {
  ofSource: number;
  ofClient: number;
  /** Out of all workspaces together. */
  toOne: number;
}

/** Counts of an address belong to no workspace. */
const EVERYWHERE = '*';

/** How often somebody was written to on one day (UTC) because of a form. */
export function createEnrollmentMailStore(connection: Connection) {
  const mails = enrollmentMails.open(connection);

  return {
    /** Counts the mail of an enrollment once; false where as many as may be were sent on that day. */
    async count(
      workspaceId: string,
      { clientId, enrollmentId, to, source }: EnrollmentMail,
      { now, ofSource, ofClient, toOne }: EnrollmentMailLimits & { now: Date },
    ): Promise<boolean> {
      const day = now.toISOString().slice(0, 10);
      const mail = { member: enrollmentId, expiresAt: new Date(now.getTime() + KEPT_MS) };
      const own = { ...mail, workspaceId };
      // The narrowest first: what a source may not send any more counts for no other.
      if (source !== null) {
        const bySource = { ...own, id: `${clientId}:${day}:${source}`, max: ofSource };
        if (!(await claim(mails, bySource))) return false;
      }
      if (!(await claim(mails, { ...own, id: `${clientId}:${day}`, max: ofClient }))) return false;
      const everywhere = { ...mail, workspaceId: EVERYWHERE };
      return claim(mails, { ...everywhere, id: `to:${to}:${day}`, max: toOne });
    },
  };
}
