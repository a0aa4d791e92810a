import { digestToken } from '@laurel/auth-cache';
import { newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newRefreshToken } from '../domain/refresh-token';

export const ACCESS_SECONDS = 15 * 60;
const REFRESH_MS = 7 * 86_400_000;

export const REFRESH_SECONDS = REFRESH_MS / 1_000;

interface NewSession {
  userId: string;
  now: Date;
  /** Whether its refresh token goes into a cookie. */
  isPage?: boolean;
  /** What the program that signs in calls itself. */
  device?: string | undefined;
}

/** Opens a session of a user, in the caller's transaction. */
export async function issueSession(
  { sessions, refreshTokens, tokens }: Deps,
  { userId, now, isPage = false, device }: NewSession,
  session: Session,
): Promise<identity.Tokens> {
  const id = newId();
  const refreshToken = newRefreshToken();
  const expiresAt = refreshExpiry(now);
  await sessions.insert(
    {
      _id: id,
      user_id: userId,
      created_at: now,
      last_active_at: now,
      expires_at: expiresAt,
      ...(device === undefined ? {} : { device }),
      ...(isPage ? { of_page: true } : {}),
    },
    session,
  );
  await refreshTokens.insert(
    { _id: digestToken(refreshToken), session_id: id, expires_at: expiresAt },
    session,
  );
  return tokensOf(tokens, { userId, sessionId: id, refreshToken });
}

export const refreshExpiry = (now: Date): Date => new Date(now.getTime() + REFRESH_MS);

export function tokensOf(
  tokens: Deps['tokens'],
  { userId, sessionId, refreshToken }: { userId: string; sessionId: string; refreshToken: string },
): identity.Tokens {
  return {
    access_token: tokens.sign('session_access', { sub: userId, sid: sessionId }, ACCESS_SECONDS),
    refresh_token: refreshToken,
    expires: ACCESS_SECONDS * 1_000,
  };
}
