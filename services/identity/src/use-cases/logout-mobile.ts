import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Ends the session of a device. */
export async function logoutMobile(
  { cache, mobileRefreshTokens, mobileSessions, clock }: Deps,
  { refresh_token }: identity.RefreshRequest,
): Promise<Record<string, never>> {
  const token = await mobileRefreshTokens.find(digestToken(refresh_token));
  if (!token) throw platform.invalidToken();
  const live = await mobileSessions.findLive(token.session_id, clock.now());
  if (!live) return {};
  await cache.revoke([authKeys.mobile(live._id)], () =>
    mobileSessions.revoke(live.workspace_id, live._id, clock.now()),
  );
  return {};
}
