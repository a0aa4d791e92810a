import type { EnrollmentDeps } from '../../deps';
import {
  type EnrolledClient,
  type Enrollment,
  type EnrollmentInput,
  isPlausibleCode,
} from '../../domain/enrollment/enrollment';
import { inOperation } from './in-operation';

/**
 * What became of the referral code; null where none was entered. A code never fails an enrollment: what goes wrong is
 * the outcome `error` (part 1, Attribution outcome). A dry run only tells what would become of it.
 */
export async function attributeReferral(
  { referrals, logger }: Pick<EnrollmentDeps, 'referrals' | 'logger'>,
  {
    enrollment,
    input,
    client,
  }: { enrollment: Enrollment; input: EnrollmentInput; client: EnrolledClient },
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<string | null> {
  const { applicant, referral_code: code } = input;
  const { email, phone } = applicant;
  if (enrollment.referral_outcome !== null || code === null) return enrollment.referral_outcome;
  if (!isPlausibleCode(code)) return 'invalid_code';
  try {
    const { outcome } = await inOperation(enrollment, 'referral', () =>
      referrals.Attribute({
        workspace_id: enrollment.workspace_id,
        code: code.trim(),
        referee_client_id: client.id,
        already_enrolled: client.was_enrolled,
        email,
        ...(phone === null ? {} : { phone }),
        ...(isDryRun ? { dry_run: true } : {}),
      }),
    );
    return outcome;
  } catch (error) {
    logger.warn({ err: error, enrollment_id: enrollment.id }, 'a referral code was not attributed');
    return 'error';
  }
}
