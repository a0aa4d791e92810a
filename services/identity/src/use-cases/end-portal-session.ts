import { authKeys, CLIENT_ACCESS_SECONDS } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Ends one session of a client, from the next request on. */
export async function endPortalSession(
  { cache, portalLogouts, clock }: Deps,
  { workspace_id, session_id }: identity.PortalSessionRequest,
): Promise<Record<string, never>> {
  // By then it has ended by itself, whenever it was opened.
  const purgeAt = new Date(clock.now().getTime() + CLIENT_ACCESS_SECONDS * 1_000);
  await cache.revoke([authKeys.portalSession(workspace_id, session_id)], () =>
    portalLogouts.note(workspace_id, session_id, purgeAt),
  );
  return {};
}

/** Lets a session of a portal in that was not ended; INVALID_TOKEN otherwise. */
export function resolvePortalSession(
  { cache, portalLogouts }: Deps,
  { workspace_id, session_id }: identity.PortalSessionRequest,
): Promise<identity.WorkspaceReference> {
  return cache.fill(authKeys.portalSession(workspace_id, session_id), async () => {
    if (await portalLogouts.has(workspace_id, session_id)) throw platform.invalidToken();
    return { workspace_id };
  });
}
