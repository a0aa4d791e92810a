import { digestToken } from '@laurel/auth-cache';
import { invalidPayload, type JsonObject } from '@laurel/errors';
import { currentContext, mayFail } from '@laurel/lifecycle';
import { fingerprintFor, isDuplicateKey, refuseAnotherRequest } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import type { Distribution } from '../../domain/distribution/distribution';
import { type Enrollment, newEnrollment } from '../../domain/enrollment/enrollment';
import { applicantOf, consentTextOf, problemsWith } from '../../domain/enrollment/form';
import { driveEnrollment } from './drive-enrollment';
import { findDoor, type OpenForm, openForm } from './find-form';
import { presentEnrollment } from './present-enrollment';

/**
 * Enrols the sender of a form: client, loyalty membership, pass, referral, mail. One operation does each of them
 * once, however often it is repeated and wherever it was broken off; the sweeper completes what is not repeated.
 */
export async function submitEnrollment(
  deps: EnrollmentDeps,
  request: api.Submission,
): Promise<api.Enrollment> {
  const distribution = await findDoor(deps, request.door);
  const opening = openForm(deps, distribution, { isLimited: false });
  opening.catch(mayFail('closed: matters only where nothing was begun'));
  const begun = await findBegun(deps, distribution);
  const enrollment = begun ?? (await beginEnrollment(deps, await opening, request));
  const done = await driveEnrollment(deps, distribution, enrollment);
  return presentEnrollment(deps, done);
}

/** What this operation has begun before: it is answered as then, though the form has closed or asks for more since. */
async function findBegun(
  { enrollments }: EnrollmentDeps,
  { workspace_id: workspaceId }: Distribution,
): Promise<Enrollment | null> {
  const { operationId } = currentContext();
  const first = await enrollments.find(workspaceId, operationId);
  if (first) refuseAnotherRequest(operationId, first);
  return first;
}

/** Writes down what was filled in, unless this operation has done so in the meantime; throws CONFLICT where it did so with another form. */
async function beginEnrollment(
  deps: EnrollmentDeps,
  { distribution, form }: OpenForm,
  request: api.Submission,
): Promise<Enrollment> {
  const { workspace_id: workspaceId, id: distributionId } = distribution;
  const { operationId } = currentContext();
  const applicant = applicantOf({
    ...request,
    custom_fields: (request.custom_fields ?? {}) as JsonObject,
  });
  const problems = problemsWith(form, applicant, request.referral_code);
  if (problems.length > 0) throw invalidPayload(problems);
  const now = deps.clock.now();
  const input = {
    applicant,
    referral_code: request.referral_code ?? null,
    consent_text: consentTextOf(form),
    ...(request.ip ? { source: digestToken(request.ip) } : {}),
  };
  const times = { now, dueAt: new Date(now.getTime() + deps.abandonedMs) };
  const named = { id: operationId, ...fingerprintFor(operationId), workspaceId, distributionId };
  const enrollment = newEnrollment(named, input, times);
  try {
    await deps.enrollments.insert(enrollment);
    return enrollment;
  } catch (error) {
    const first = isDuplicateKey(error) ? await findBegun(deps, distribution) : null;
    if (!first) throw error;
    return first;
  }
}
