import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

/**
 * Notes the wish for a reset. The same single write whether or not the address has an account, so
 * that neither answer nor time tells; the job sends the mail.
 */
export async function requestPasswordReset(
  { passwordResets, clock }: Deps,
  { email, ip }: identity.EmailRequest,
): Promise<Record<string, never>> {
  await passwordResets.request({ email: email.trim(), source: ip }, clock.now());
  return {};
}
