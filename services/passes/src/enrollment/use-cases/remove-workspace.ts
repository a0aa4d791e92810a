import { unitOfWork } from '@laurel/mongo';
import type { EnrollmentDeps } from '../deps';

/** Removes what enrollment holds of a workspace. */
export async function removeWorkspace(
  { connection, distributions, enrollments, messages, resends }: EnrollmentDeps,
  workspaceId: string,
): Promise<void> {
  await unitOfWork(connection, (session) => messages.removeAll(workspaceId, session));
  await distributions.removeWorkspace(workspaceId);
  await enrollments.removeWorkspace(workspaceId);
  await resends.removeWorkspace(workspaceId);
}
