import { type Connection, collection, type Session } from '@laurel/mongo';
import { type ClaimDocument, claim, unclaim } from './claims';

export const submissions = collection<ClaimDocument>('submissions', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: counting starts anew',
  growth: {
    per: 'distribution',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
});

/** Which form of a distribution. */
export interface SentForm {
  distributionId: string;
  enrollmentId: string;
}

/** How often the form of a distribution was sent and not refused. */
export function createSubmissionStore(connection: Connection) {
  const rows = submissions.open(connection);

  return {
    /** Counts a form once, however often it is asked to; false where `max` were sent. */
    async count(
      workspaceId: string,
      { distributionId: id, enrollmentId: member }: SentForm,
      max: number | null,
    ): Promise<boolean> {
      return claim(rows, { id, workspaceId, member, max });
    },

    /** Takes one back that was refused after all. */
    async uncount(
      workspaceId: string,
      { distributionId: id, enrollmentId: member }: SentForm,
    ): Promise<void> {
      await unclaim(rows, { id, workspaceId, member });
    },

    async countOf(workspaceId: string, distributionId: string): Promise<number> {
      return (await rows.of(workspaceId).findOne({ _id: distributionId }))?.count ?? 0;
    },

    async remove(workspaceId: string, distributionId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: distributionId }, { session });
    },
  };
}
