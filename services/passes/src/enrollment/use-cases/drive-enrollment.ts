import { Refusal } from '@laurel/errors';
import type { EnrollmentDeps } from '../deps';
import type { Distribution } from '../domain/distribution';
import type { Enrollment } from '../domain/enrollment';
import { attributeReferral } from './attribute-referral';
import { enrollClient } from './enroll-client';
import { finishEnrollment } from './finish-enrollment';
import { givePass } from './give-pass';

/**
 * Takes an enrollment from where it is to its end. Each step is repeatable and notes what it found before the next one,
 * so that two who work on the same one, or one after the other, do everything once.
 */
export async function driveEnrollment(
  deps: EnrollmentDeps,
  distribution: Distribution,
  enrollment: Enrollment,
): Promise<Enrollment> {
  if (enrollment.input === null) return enrollment;
  const { id, workspace_id: workspaceId, input } = enrollment;
  try {
    const client = await enrollClient(deps, enrollment, input);
    const pass = await givePass(deps, distribution, enrollment, client);
    const outcome = await attributeReferral(deps, enrollment, input, client);
    const progress = { client, pass, referral_outcome: outcome };
    await deps.enrollments.advance(workspaceId, id, progress);
    return await finishEnrollment(deps, distribution, { ...enrollment, ...progress });
  } catch (error) {
    // What is refused now is refused again: the person corrects the form and sends another one.
    if (error instanceof Refusal && error.httpStatus < 500 && error.httpStatus !== 429)
      await deps.enrollments.drop(workspaceId, id);
    throw error;
  }
}
