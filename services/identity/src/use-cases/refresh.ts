import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newRefreshToken, refreshExpiry, tokensOf } from './issue-session';

/**
 * Trades a refresh token for the next pair. One that was used before is in the wrong hands, so its
 * whole family ends (part 3, section 2).
 */
export async function refresh(
  deps: Deps,
  { refresh_token }: identity.RefreshRequest,
): Promise<identity.Tokens> {
  const { connection, cache, sessions, clock } = deps;
  const outcome = await unitOfWork(connection, (session) => rotate(deps, refresh_token, session));
  if (typeof outcome === 'object') return outcome;
  await cache.revoke([authKeys.session(outcome)], () => sessions.revoke(outcome, clock.now()));
  throw platform.invalidToken();
}

/** The new pair, or the id of the session that a used token has given away. */
async function rotate(
  { refreshTokens, sessions, users, tokens, clock }: Deps,
  refreshToken: string,
  session: Session,
): Promise<identity.Tokens | string> {
  const now = clock.now();
  const digest = digestToken(refreshToken);
  const row = await refreshTokens.find(digest, session);
  if (!row) throw platform.invalidToken();
  if (row.expires_at <= now) throw platform.tokenExpired();
  const live = await sessions.findLive(row.session_id, now, session);
  if (!live) throw platform.invalidToken();
  if (!(await refreshTokens.use(digest, now, session))) return row.session_id;
  const user = await users.find(live.user_id, session);
  const expiresAt = refreshExpiry(now);
  if (!user || !(await sessions.extend(live._id, expiresAt, session)))
    throw platform.invalidToken();
  const next = newRefreshToken();
  await refreshTokens.insert(
    { _id: digestToken(next), session_id: live._id, expires_at: expiresAt },
    session,
  );
  return tokensOf(tokens, { userId: user._id, sessionId: live._id, refreshToken: next });
}
