import { unitOfWork } from '@laurel/mongo';
import type { EnrollmentDeps } from '../../deps';

/** Removes what enrollment holds of a workspace. */
export async function removeEnrollments(deps: EnrollmentDeps, workspaceId: string): Promise<void> {
  const { distributions, enrollments, confirmations, enrollmentMails, submissions, resends } = deps;
  await unitOfWork(deps.connection, (session) => deps.messages.removeAll(workspaceId, session));
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
