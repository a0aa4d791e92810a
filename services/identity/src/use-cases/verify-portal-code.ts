import type { identity } from '@laurel/rpc';
import { emailKey } from '@laurel/values/email';
import type { Deps } from '../deps';
import { digestCode, isSameDigest } from '../domain/one-time-code';
import { refusals } from '../refusals';
import type { PortalCodeRow } from '../store/portal-codes';
import { activeClient, sessionOf } from './open-portal-session';
import { openPortal } from './read-portal';
import { portalCodeName } from './send-portal-code';

/**
 * Signs in the holder of the code that was sent to the address. An unknown address and a wrong, used or
 * dead code take the same work and get the same answer. The code proves the address.
 */
export async function verifyPortalCode(
  deps: Deps,
  { workspace_slug, email, code, ip }: identity.VerifyPortalCodeRequest,
): Promise<identity.PortalSession> {
  const workspace = await openPortal(deps, workspace_slug);
  const sent = await takeCode(deps, workspace._id, { email, ip, code });
  if (!sent) throw refusals.wrongPortalCode();
  const client = await activeClient(deps, workspace._id, sent.client_id);
  // The address may have been taken from the client since the code was sent.
  if (!client || emailKey(client.email ?? '') !== emailKey(email)) throw refusals.wrongPortalCode();
  const named = { workspace_id: workspace._id, client_id: client.id };
  const { proven_at } = await deps.clients.NoteAddressProof(named);
  const from = { door: 'portal' as const, emailKey: emailKey(email), source: ip };
  await deps.knownSources.note(from, deps.clock.now());
  return sessionOf(deps, workspace, { ...client, provenAt: proven_at });
}

/** The code that fits, used up by this; null where none does. One that was asked for from here comes first. */
async function takeCode(
  { portalCodes, config, clock }: Deps,
  workspaceId: string,
  { email, ip, code }: { email: string; ip: string; code: string },
): Promise<PortalCodeRow | null> {
  const name = portalCodeName(config.jwtSecret, workspaceId, { email, source: ip });
  const fits = (sent: PortalCodeRow | null): sent is PortalCodeRow => {
    const digest = digestCode(config.jwtSecret, `portal:${(sent ?? name)._id}`, code);
    return sent !== null && isSameDigest(sent.code_digest, digest);
  };
  const now = clock.now();
  const own = await portalCodes.takeTry(workspaceId, name._id, now);
  const sent = fits(own) ? own : await portalCodes.takeTryElsewhere(workspaceId, name, now);
  if (!fits(sent)) return null;
  return (await portalCodes.use(workspaceId, sent, clock.now())) ? sent : null;
}
