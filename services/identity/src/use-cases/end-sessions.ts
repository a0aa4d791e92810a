import { authKeys } from '@laurel/auth-cache';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';

/**
 * Commits a change that also ends sessions of a user: what `work` returns as `ended` stops counting on
 * the next request, on every replica.
 */
export async function endSessions<T>(
  { connection, cache, sessions }: Deps,
  userId: string,
  work: (session: Session) => Promise<{ result: T; ended: string[] }>,
): Promise<T> {
  const known = (await sessions.liveIds(userId)).map(authKeys.session);
  const { result, ended } = await cache.revoke(known, () => unitOfWork(connection, work));
  // A session may have been opened between the look and the commit.
  const late = ended.map(authKeys.session).filter((key) => !known.includes(key));
  await cache.revoke(late, async () => undefined);
  return result;
}
