import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { emailKey } from '../domain/contact';
import { digestCode, isSameDigest } from '../domain/one-time-code';
import { refusals } from '../refusals';
import { activeClient, sessionOf } from './open-portal-session';
import { openPortal } from './read-portal';
import { portalCodeId } from './send-portal-code';

/**
 * Signs in whoever holds the code that was sent to the address. An unknown address and a wrong, used or
 * dead code take the same work and get the same answer. The code proves the address.
 */
export async function verifyPortalCode(
  deps: Deps,
  { workspace_slug, email, code }: identity.VerifyPortalCodeRequest,
): Promise<identity.PortalSession> {
  const { portalCodes, config, clock } = deps;
  const workspace = await openPortal(deps, workspace_slug);
  const id = portalCodeId(config.jwtSecret, workspace._id, email);
  const sent = await portalCodes.takeTry(workspace._id, id, clock.now());
  const digest = digestCode(config.jwtSecret, `portal:${id}`, code);
  if (!sent || !isSameDigest(sent.code_digest, digest)) throw refusals.wrongPortalCode();
  if (!(await portalCodes.use(workspace._id, sent, clock.now()))) throw refusals.wrongPortalCode();
  const client = await activeClient(deps, workspace._id, sent.client_id);
  // The address may have been taken from the client since the code was sent.
  if (!client || emailKey(client.email ?? '') !== emailKey(email)) throw refusals.wrongPortalCode();
  const named = { workspace_id: workspace._id, client_id: client.id };
  const { proven_at } = await deps.clients.NoteAddressProof(named);
  return sessionOf(deps, workspace, { ...client, provenAt: proven_at });
}
