import { signClientAccess } from '@laurel/auth-cache';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { type Enrollment, isUnproven } from '../../domain/enrollment/enrollment';
import { linksOfPass } from '../pass/offered-links';

const NO_LINKS = { apple_pass_url: null, google_pass_url: null };

/**
 * What the form gets to know. Of somebody who was known it hears that there is a pass, and nothing by which to get at it:
 * a pass carries the barcode and the way into the account, and knowing an address must open neither. Who confirmed
 * hears what somebody new does, once: a link stays in mailboxes and histories, where others may open it again.
 *
 * @param isClosed true where the answer went out before, or the link does not open the account
 * @param provenAt since when the client's address is proven, in milliseconds, where this enrollment proved it
 */
export async function presentEnrollment(
  deps: Pick<EnrollmentDeps, 'links' | 'passes' | 'walletsOffered' | 'tokens' | 'clock'>,
  enrollment: Enrollment,
  { isClosed = false, provenAt }: { isClosed?: boolean; provenAt?: number } = {},
): Promise<api.Enrollment> {
  const { workspace_id: workspaceId, client, pass } = enrollment;
  if (!client) throw new Error('an enrollment is presented before it is done');
  const isOpened = pass !== null && !isUnproven(enrollment) && !isClosed;
  const { apple_pass_url, google_pass_url } = isOpened
    ? await linksOfPass(deps, workspaceId, pass.id)
    : NO_LINKS;
  return {
    pass_id: pass?.id ?? null,
    apple_pass_url,
    google_pass_url,
    client_token: isOpened
      ? signClientAccess(
          deps.tokens,
          { workspaceId, clientId: client.id },
          // As old as the form, however late the answer is asked for again: a proof meanwhile ends it.
          {
            at:
              provenAt === undefined
                ? enrollment.opened_at.getTime()
                : Math.max(Date.now(), provenAt),
          },
        )
      : null,
    is_resend: pass?.existed ?? false,
    email_sent: enrollment.email_sent,
    ...(enrollment.referral_outcome === null
      ? {}
      : { referral_outcome: enrollment.referral_outcome }),
  };
}
