import { authKeys } from '@laurel/auth-cache';
import { createEvent } from '@laurel/events';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { apiTokenKeys } from './api-token-keys';

/**
 * Commits a change that also ends sessions of a user: what `work` returns as `ended` stops counting on
 * the next request, on every replica.
 */
export async function endSessions<T>(
  { connection, cache, sessions, clock }: Deps,
  userId: string,
  work: (session: Session) => Promise<{ result: T; ended: string[] }>,
): Promise<T> {
  const known = (await sessions.liveIds(userId, clock.now())).map(authKeys.session);
  const { result, ended } = await cache.revoke(known, () => unitOfWork(connection, work));
  // A session may have been opened between the look and the commit.
  const late = ended.map(authKeys.session).filter((key) => !known.includes(key));
  await cache.revoke(late, async () => undefined);
  return result;
}

/** The same for a change that may end the user's tokens as well; `endedTokens` are their digests. */
export async function endCredentials<T>(
  deps: Deps,
  userId: string,
  work: (session: Session) => Promise<{ result: T; ended: string[]; endedTokens: string[] }>,
): Promise<T> {
  const known = await apiTokenKeys(deps, userId);
  const { result, endedTokens } = await deps.cache.revoke(known, () =>
    endSessions(deps, userId, async (session) => {
      const { ended, ...rest } = await work(session);
      return { result: rest, ended };
    }),
  );
  // A token may have been made between the look and the commit.
  const late = endedTokens.map(authKeys.token);
  await deps.cache.revoke(
    late.filter((key) => !known.includes(key)),
    async () => undefined,
  );
  return result;
}

/** Ends every session of a user, in the caller's transaction that has written the user; returns their ids. */
export async function revokeEverySession(
  { sessions, outbox }: Deps,
  userId: string,
  { now, session }: { now: Date; session: Session },
): Promise<string[]> {
  const ended = await sessions.revokeAll(userId, { now, session });
  const data = { user_id: userId, revoked_at: now.toISOString() };
  const event = createEvent('identity.user_sessions_revoked', {
    workspaceId: null,
    subject: userId,
    data,
  });
  await outbox.append([event], session);
  return ended;
}
