import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { MobileSessionRow } from '../store/mobile-sessions';
import { mobileExpiry, mobilePageSessionOf, mobileTokensOf } from './mobile-tokens';
import { appStanding } from './resolve-mobile-session';
import { rotateRefreshToken } from './rotate-refresh-token';

/** Trades a device's refresh token for the next pair; one that was used before ends the session. */
export function refreshMobile(
  deps: Deps,
  request: identity.RefreshRequest,
): Promise<identity.MobileTokens> {
  return renew(deps, request, false);
}

/** The same for the till page: a use of moments ago is forgiven (part 4, section 12). */
export async function refreshMobilePage(
  deps: Deps,
  request: identity.RefreshRequest,
): Promise<identity.MobilePageSession> {
  return mobilePageSessionOf(deps, await renew(deps, request, true));
}

async function renew(
  deps: Deps,
  { refresh_token }: identity.RefreshRequest,
  isPage: boolean,
): Promise<identity.MobileTokens> {
  const { connection, cache, mobileSessions, clock } = deps;
  const outcome = await unitOfWork(connection, (session) =>
    rotate(deps, { refreshToken: refresh_token, isPage }, session),
  );
  if ('access_token' in outcome) return outcome;
  await cache.revoke([authKeys.mobile(outcome._id)], () =>
    mobileSessions.revoke(outcome.workspace_id, outcome._id, clock.now()),
  );
  throw platform.invalidToken();
}

/** The new pair, or the session that a used token has given away. */
async function rotate(
  deps: Deps,
  { refreshToken, isPage }: { refreshToken: string; isPage: boolean },
  session: Session,
): Promise<identity.MobileTokens | MobileSessionRow> {
  const { mobileRefreshTokens, mobileSessions, mobileUsers, workspaces, clock } = deps;
  const now = clock.now();
  const row = await mobileRefreshTokens.find(digestToken(refreshToken), session);
  if (!row) throw platform.invalidToken();
  if (row.expires_at <= now) throw platform.tokenExpired();
  const live = await mobileSessions.findLive(row.session_id, now, session);
  if (!live && (await mobileSessions.findRevoked(row.session_id, session)))
    throw refusals.deviceSignedOut();
  if (!live || (live.of_page ?? false) !== isPage) throw platform.invalidToken();
  const workspace = await workspaces.find(live.workspace_id, session);
  // A deleted workspace is 403 for everyone (part 3, section 1.1), until its sessions are gone with it.
  if (!workspace) throw refusals.workspaceDeleted();
  const turn = { refreshToken, now, isPage };
  const rotation = await rotateRefreshToken(mobileRefreshTokens, turn, session);
  if (rotation === 'reused') return live;
  const user = await mobileUsers.find(live.workspace_id, live.mobile_user_id, session);
  if (!user) throw platform.invalidToken();
  // Nothing of this commits: the token is as good as before, for when the device may go on.
  const standing = await appStanding(deps, user);
  if (standing === 'barred') throw refusals.appUserBarred();
  if (standing === 'off') throw refusals.appSwitchedOff();
  const expiresAt = mobileExpiry(deps, now);
  if (!(await mobileSessions.extend(live.workspace_id, live._id, { now, expiresAt, session })))
    throw platform.invalidToken();
  const { next, isNew } = rotation;
  if (isNew)
    await mobileRefreshTokens.insert(
      { _id: digestToken(next), session_id: live._id, expires_at: expiresAt },
      session,
    );
  return mobileTokensOf(deps, { user, workspace, sessionId: live._id, refreshToken: next });
}
