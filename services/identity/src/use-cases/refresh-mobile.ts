import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { MobileSessionRow } from '../store/mobile-sessions';
import { newRefreshToken } from './issue-session';
import { mobileExpiry, mobileTokensOf } from './mobile-tokens';
import { mayUseApp } from './resolve-mobile-session';

/** Trades a device's refresh token for the next pair; one that was used before ends the session. */
export async function refreshMobile(
  deps: Deps,
  { refresh_token }: identity.RefreshRequest,
): Promise<identity.MobileTokens> {
  const { connection, cache, mobileSessions, clock } = deps;
  const outcome = await unitOfWork(connection, (session) => rotate(deps, refresh_token, session));
  if ('access_token' in outcome) return outcome;
  await cache.revoke([authKeys.mobile(outcome._id)], () =>
    mobileSessions.revoke(outcome.workspace_id, outcome._id, clock.now()),
  );
  throw platform.invalidToken();
}

/** The new pair, or the session that a used token has given away. */
async function rotate(
  deps: Deps,
  refreshToken: string,
  session: Session,
): Promise<identity.MobileTokens | MobileSessionRow> {
  const { mobileRefreshTokens, mobileSessions, mobileUsers, workspaces, clock } = deps;
  const now = clock.now();
  const digest = digestToken(refreshToken);
  const row = await mobileRefreshTokens.find(digest, session);
  if (!row) throw platform.invalidToken();
  if (row.expires_at <= now) throw platform.tokenExpired();
  const live = await mobileSessions.findLive(row.session_id, now, session);
  if (!live) throw platform.invalidToken();
  if (!(await mobileRefreshTokens.use(digest, now, session))) return live;
  const user = await mobileUsers.find(live.workspace_id, live.mobile_user_id, session);
  const workspace = await workspaces.find(live.workspace_id, session);
  if (!user || !workspace || !(await mayUseApp(deps, user))) throw platform.invalidToken();
  const expiresAt = mobileExpiry(deps, now);
  if (!(await mobileSessions.extend(live.workspace_id, live._id, { now, expiresAt }, session)))
    throw platform.invalidToken();
  const next = newRefreshToken();
  await mobileRefreshTokens.insert(
    { _id: digestToken(next), session_id: live._id, expires_at: expiresAt },
    session,
  );
  return mobileTokensOf(deps, { user, workspace, sessionId: live._id, refreshToken: next });
}
