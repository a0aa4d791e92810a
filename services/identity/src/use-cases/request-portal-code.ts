import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

/**
 * Notes the wish for a code. The same single write whether or not there is such a portal or such a
 * client, so that neither answer nor time tells; the job sends the mail.
 */
export async function requestPortalCode(
  { portalCodes, clock }: Deps,
  { workspace_slug, email, ip }: identity.PortalCodeRequest,
): Promise<Record<string, never>> {
  await portalCodes.request({ workspace_slug, email: email.trim(), source: ip }, clock.now());
  return {};
}
