import { commitOnce, type Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { apiTokenKeys } from './api-token-keys';

/**
 * Commits, once in an operation, a change by which a user becomes a member somewhere. An API token that somebody may
 * have planted before the address was proven ends with it: what opens from now on is not theirs (docs/adr/0014).
 * `work` says whether the user has become a member.
 */
export async function commitMembership<T>(
  deps: Deps,
  userId: string,
  work: (session: Session) => Promise<{ result: T; hasJoined: boolean }>,
): Promise<T> {
  const { cache, connection, users, apiTokens } = deps;
  const keys = await apiTokenKeys(deps, userId);
  return cache.revoke(keys, () =>
    commitOnce(connection, async (session) => {
      const { result, hasJoined } = await work(session);
      if (hasJoined && (await apiTokens.findOfUser(userId, session))) {
        // A reset at this very moment marks the token before this, or after the membership was there.
        await users.lockCredentials(userId, session);
        await apiTokens.removeSuspect(userId, session);
      }
      return result;
    }),
  );
}
