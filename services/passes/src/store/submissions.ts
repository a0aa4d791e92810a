import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { claim, claimsIn, unclaim } from './claims';

const COLLECTION = 'submissions';

export const submissionIndexes: CollectionIndexes = {
  collection: COLLECTION,
  growth: {
    per: 'distribution',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
};

/** Which form of a distribution. */
export interface SentForm {
  distributionId: string;
  enrollmentId: string;
}

/** How often the form of a distribution was sent and not refused. */
export function createSubmissionStore(connection: Connection) {
  const submissions = claimsIn(connection, COLLECTION);

  return {
    /** Counts a form once, however often it is asked to; false where `max` were sent. */
    async count(
      workspaceId: string,
      { distributionId: id, enrollmentId: member }: SentForm,
      max: number | null,
    ): Promise<boolean> {
      return claim(submissions, { id, workspaceId, member, max });
    },

    /** Takes one back that was refused after all. */
    async uncount(
      workspaceId: string,
      { distributionId: id, enrollmentId: member }: SentForm,
    ): Promise<void> {
      await unclaim(submissions, { id, workspaceId, member });
    },

    async countOf(workspaceId: string, distributionId: string): Promise<number> {
      const filter = { _id: distributionId, workspace_id: workspaceId };
      return (await submissions.findOne(filter))?.count ?? 0;
    },

    async remove(workspaceId: string, distributionId: string, session: Session): Promise<void> {
      const filter = { _id: distributionId, workspace_id: workspaceId };
      await submissions.deleteOne(filter, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await submissions.deleteMany({ workspace_id: workspaceId });
    },
  };
}
