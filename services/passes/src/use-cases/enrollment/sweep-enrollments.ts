import { runInContext, systemContext } from '@laurel/lifecycle';
import type { EnrollmentDeps } from '../../deps';
import type { Enrollment } from '../../domain/enrollment/enrollment';
import { driveEnrollment } from './drive-enrollment';
import { dropEnrollment } from './drop-enrollment';

const BATCH = 100;

/** Completes enrollments that were begun and not ended. One that cannot be ended now comes up again. */
export async function sweepEnrollments(deps: EnrollmentDeps): Promise<{ more: boolean }> {
  for (let swept = 0; swept < BATCH; swept += 1) {
    const now = deps.clock.now();
    const dueAt = new Date(now.getTime() + deps.abandonedMs);
    const enrollment = await deps.enrollments.claimAbandoned(now, dueAt);
    if (enrollment === null) return { more: false };
    const context = systemContext({ workspaceId: enrollment.workspace_id, background: true });
    try {
      await runInContext(context, () => complete(deps, enrollment));
    } catch (error) {
      const names = { err: error, enrollment_id: enrollment.id };
      deps.logger.error(names, 'an abandoned enrollment could not be ended');
    }
  }
  return { more: true };
}

async function complete(deps: EnrollmentDeps, enrollment: Enrollment): Promise<void> {
  const { workspace_id: workspaceId, distribution_id } = enrollment;
  const distribution = await deps.distributions.find(workspaceId, distribution_id);
  if (distribution) await driveEnrollment(deps, distribution, enrollment);
  else await dropEnrollment(deps, enrollment);
}
