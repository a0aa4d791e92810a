import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { REFRESH_SECONDS, refreshExpiry, tokensOf } from './issue-session';
import { rotateRefreshToken } from './rotate-refresh-token';
import { toUserReply } from './wire';

/**
 * Trades a refresh token for the next pair. One that was used before is in the wrong hands, so its
 * whole family ends (part 3, section 2).
 */
export async function refresh(
  deps: Deps,
  request: identity.RefreshRequest,
): Promise<identity.Tokens> {
  return (await renew(deps, request, false)).tokens!;
}

/** The same for a page: two tabs, or an answer that was lost, sign no user out (part 4, section 12). */
export function refreshPageSession(
  deps: Deps,
  request: identity.RefreshRequest,
): Promise<identity.PageSession> {
  return renew(deps, request, true);
}

async function renew(
  deps: Deps,
  { refresh_token }: identity.RefreshRequest,
  isPage: boolean,
): Promise<identity.PageSession> {
  const { connection, cache, sessions, clock } = deps;
  const outcome = await unitOfWork(connection, (session) =>
    rotate(deps, { refreshToken: refresh_token, isPage }, session),
  );
  if (typeof outcome === 'object') return outcome;
  await cache.revoke([authKeys.session(outcome)], () => sessions.revoke(outcome, clock.now()));
  throw platform.invalidToken();
}

/** The new pair, or the id of the session that a used token has given away. */
async function rotate(
  { refreshTokens, sessions, users, tokens, clock }: Deps,
  { refreshToken, isPage }: { refreshToken: string; isPage: boolean },
  session: Session,
): Promise<identity.PageSession | string> {
  const now = clock.now();
  const row = await refreshTokens.find(digestToken(refreshToken), session);
  if (!row) throw platform.invalidToken();
  if (row.expires_at <= now) throw platform.tokenExpired();
  const live = await sessions.findLive(row.session_id, now, session);
  if (!live || (live.of_page ?? false) !== isPage) throw platform.invalidToken();
  const turn = { refreshToken, now, isPage };
  const rotation = await rotateRefreshToken(refreshTokens, turn, session);
  if (rotation === 'reused') return row.session_id;
  const user = await users.find(live.user_id, session);
  const expiresAt = refreshExpiry(now);
  if (!user || !(await sessions.extend(live._id, { now, expiresAt }, session)))
    throw platform.invalidToken();
  const { next, isNew } = rotation;
  if (isNew)
    await refreshTokens.insert(
      { _id: digestToken(next), session_id: live._id, expires_at: expiresAt },
      session,
    );
  return {
    tokens: tokensOf(tokens, { userId: user._id, sessionId: live._id, refreshToken: next }),
    user: toUserReply(user),
    refresh_seconds: REFRESH_SECONDS,
  };
}
