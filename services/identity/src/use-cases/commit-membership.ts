import { commitOnce, type Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { apiTokenKeys } from './api-token-keys';
import { hasTokens } from './has-tokens';

/**
 * Commits, once in an operation, a change by which a user becomes a member somewhere. Tokens that somebody may
 * have planted before the address was proven end with it: what opens from now on is not theirs (docs/adr/0014).
 * `work` says whether the user has become a member.
 */
export async function commitMembership<T>(
  deps: Deps,
  userId: string,
  work: (session: Session) => Promise<{ result: T; hasJoined: boolean }>,
): Promise<T> {
  const { cache, connection, users, apiTokens, namedTokens } = deps;
  const keys = await apiTokenKeys(deps, userId);
  return cache.revoke(keys, () =>
    commitOnce(connection, async (session) => {
      const { result, hasJoined } = await work(session);
      if (hasJoined && (await hasTokens(deps, userId, session))) {
        // A reset at this very moment marks the token before this, or after the membership was there.
        await users.lockCredentials(userId, session);
        await apiTokens.removeSuspect(userId, session);
        await namedTokens.removeSuspect(userId, session);
      }
      return result;
    }),
  );
}
