import { randomBytes } from 'node:crypto';
import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import { refusals } from '../refusals';
import type { UserRow } from '../store/users';
import { isCallOfBefore } from './call-of-before';

const ATTEMPTS_MAX = 10;

/** Makes a user's API token and shows it this once; the one before it is dead on the next request. */
export async function regenerateApiToken(
  deps: Deps,
  { user_id, session_id }: identity.CallerRequest,
): Promise<identity.ApiTokenReply> {
  const { cache, connection, apiTokens, clock } = deps;
  const token = randomBytes(32).toString('hex');
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const previous = (await apiTokens.findOfUser(user_id))?.token_sha256 ?? null;
    const keys = previous === null ? [] : [authKeys.token(previous)];
    const replaced = await cache.revoke(keys, () =>
      unitOfWork(connection, async (session) => {
        const user = await requireCredential(deps, { user_id, session_id }, session);
        const isProven = isAddressProven(user);
        const next = { previous, sha256: digestToken(token), isProven, now: clock.now() };
        return apiTokens.replace(user_id, next, session);
      }),
    );
    if (replaced) return { token };
  }
  throw platform.conflict({ message: 'the token is being regenerated elsewhere, try again' });
}

/** What the caller came with may have ended on the way here: then it must not leave a token behind. */
async function requireCredential(
  deps: Deps,
  { user_id, session_id }: identity.CallerRequest,
  session: Session,
): Promise<UserRow> {
  const { users, sessions, apiTokens, clock } = deps;
  const user = await users.lockCredentials(user_id, session);
  if (!user) throw platform.invalidToken();
  const stands =
    session_id === undefined
      ? await apiTokens.findOfUser(user_id, session)
      : await sessions.findLive(session_id, clock.now(), session);
  if (!stands) throw platform.invalidToken();
  if (await isCallOfBefore(deps, user, { sessionId: session_id, session }))
    throw refusals.tokenOfBefore();
  return user;
}
