import { queuedMessages } from '@laurel/mail';
import type { EnrollmentDeps } from '../../deps';

/** Removes what enrollment holds of a workspace. */
export async function removeEnrollments(deps: EnrollmentDeps, workspaceId: string): Promise<void> {
  const { distributions, enrollments, confirmations, enrollmentMails, submissions, resends } = deps;
  await queuedMessages.removeWorkspace(deps.connection, workspaceId);
  for (const rows of [
    distributions,
    enrollments,
    confirmations,
    enrollmentMails,
    submissions,
    resends,
  ])
    await rows.removeWorkspace(workspaceId);
}
