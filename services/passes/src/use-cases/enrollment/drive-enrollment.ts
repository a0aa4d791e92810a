import { isFinalRefusal } from '@laurel/errors';
import type { EnrollmentDeps } from '../../deps';
import type { Distribution } from '../../domain/distribution/distribution';
import {
  type EnrolledClient,
  type Enrollment,
  isUnproven,
} from '../../domain/enrollment/enrollment';
import { refusals } from '../../refusals';
import { attributeReferral } from './attribute-referral';
import { dropEnrollment } from './drop-enrollment';
import { enrollClient } from './enroll-client';
import { finishEnrollment } from './finish-enrollment';
import { findPass, givePass } from './give-pass';

/**
 * Takes an enrollment from where it is to its end. Each step is repeatable, and what a repeat could not find out again is
 * noted before the next one, so that two who work on the same one, or one after the other, do everything once. Where the client was known before,
 * the end is a mailed link: nothing of them changes until they open it (part 4, section 2).
 */
export async function driveEnrollment(
  deps: EnrollmentDeps,
  distribution: Distribution,
  enrollment: Enrollment,
): Promise<Enrollment> {
  if (enrollment.input === null) return enrollment;
  const { input } = enrollment;
  try {
    await countForm(deps, distribution, enrollment);
    const client = await enrollClient(deps, enrollment, input);
    const isDryRun = isUnproven({ client, confirms: enrollment.confirms });
    const pass = isDryRun
      ? await passBefore(deps, distribution, client)
      : await givePass(deps, distribution, { enrollment, client });
    const entered = { enrollment, input, client };
    const outcome = await attributeReferral(deps, entered, { isDryRun });
    const found = { client, pass, referral_outcome: outcome };
    return await finishEnrollment(deps, distribution, { ...enrollment, ...found });
  } catch (error) {
    // What is refused now is refused again: the person corrects the form and sends another one.
    if (isFinalRefusal(error)) await dropEnrollment(deps, enrollment);
    throw error;
  }
}

/** What a mailed link leads to was counted when its form came; so was what went on to its client and was broken off. */
async function countForm(
  { submissions }: EnrollmentDeps,
  { id: distributionId, submission_limit }: Distribution,
  { id: enrollmentId, workspace_id, confirms, makes_client, client }: Enrollment,
): Promise<void> {
  if (confirms !== null || makes_client || client !== null) return;
  const form = { distributionId, enrollmentId };
  if (!(await submissions.count(workspace_id, form, submission_limit)))
    throw refusals.enrollmentClosed();
}

async function passBefore(
  deps: EnrollmentDeps,
  distribution: Distribution,
  client: EnrolledClient,
): Promise<Enrollment['pass']> {
  const found = await findPass(deps, distribution, client.id);
  return found ? { id: found.id, existed: true } : null;
}
