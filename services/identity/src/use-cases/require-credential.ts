import { platform } from '@laurel/errors';
import type { Session } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { UserRow } from '../store/users';
import { isCallOfBefore } from './call-of-before';

/**
 * The user whose token shall be made, held still. What the caller came with may have ended on the way here
 * (INVALID_TOKEN), or be from before the address was proven: then it must not leave a token behind.
 */
export async function requireCredential(
  deps: Pick<Deps, 'users' | 'sessions' | 'apiTokens' | 'clock'>,
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
