import type { EnrollmentDeps } from '../../deps';
import type { Enrollment } from '../../domain/enrollment/enrollment';

/** Forgets one that was refused; it does not count among the forms that were sent. */
export async function dropEnrollment(
  { enrollments, submissions }: Pick<EnrollmentDeps, 'enrollments' | 'submissions'>,
  { id, workspace_id: workspaceId, distribution_id: distributionId }: Enrollment,
): Promise<void> {
  if (await enrollments.drop(workspaceId, id))
    await submissions.uncount(workspaceId, { distributionId, enrollmentId: id });
}
