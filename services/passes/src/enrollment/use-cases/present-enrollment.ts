import { signClientAccess } from '@laurel/auth-cache';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../deps';
import type { Enrollment } from '../domain/enrollment';

/**
 * What the form is told. Of somebody who was known it is told that there is a pass, and nothing by which to get at it:
 * a pass carries the barcode and the way into the account, and knowing an address must open neither.
 */
export function presentEnrollment(
  { links, tokens }: Pick<EnrollmentDeps, 'links' | 'tokens'>,
  { workspace_id: workspaceId, client, pass, ...enrollment }: Enrollment,
): api.Enrollment {
  if (!client || !pass) throw new Error('an enrollment is presented before it is done');
  const { apple_pass_url, google_pass_url } = links.urlsOf(pass.id);
  const credentials = client.known
    ? { apple_pass_url: null, google_pass_url: null, client_token: null }
    : {
        apple_pass_url,
        google_pass_url,
        client_token: signClientAccess(tokens, { workspaceId, clientId: client.id }),
      };
  return {
    pass_id: pass.id,
    ...credentials,
    is_resend: pass.existed,
    email_sent: enrollment.email_sent,
    ...(enrollment.referral_outcome === null
      ? {}
      : { referral_outcome: enrollment.referral_outcome }),
  };
}
