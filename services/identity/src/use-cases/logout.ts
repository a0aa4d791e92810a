import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Ends the session a refresh token belongs to, its access tokens included. */
export async function logout(
  { cache, refreshTokens, sessions, clock }: Deps,
  { refresh_token }: identity.RefreshRequest,
): Promise<Record<string, never>> {
  const row = await refreshTokens.find(digestToken(refresh_token));
  if (!row) throw platform.invalidToken();
  await cache.revoke([authKeys.session(row.session_id)], () =>
    sessions.revoke(row.session_id, clock.now()),
  );
  return {};
}
