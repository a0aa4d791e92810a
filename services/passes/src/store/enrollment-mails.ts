import type { CollectionIndexes, Connection } from '@laurel/mongo';
import { claim, claimsIn } from './claims';

const COLLECTION = 'enrollment_mails';
const KEPT_MS = 2 * 86_400_000;

export const enrollmentMailIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
};

/** How often somebody was written to on one day (UTC) because of a form. */
export function createEnrollmentMailStore(connection: Connection) {
  const mails = claimsIn(connection, COLLECTION);

  return {
    /** Counts the mail of an enrollment once; false where `max` were sent on that day. */
    async count(
      workspaceId: string,
      { clientId, enrollmentId }: { clientId: string; enrollmentId: string },
      { now, max }: { now: Date; max: number },
    ): Promise<boolean> {
      const id = `${clientId}:${now.toISOString().slice(0, 10)}`;
      const expiresAt = new Date(now.getTime() + KEPT_MS);
      return claim(mails, { id, workspaceId, member: enrollmentId, max, expiresAt });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await mails.deleteMany({ workspace_id: workspaceId });
    },
  };
}
