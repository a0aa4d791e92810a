import { authKeys } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireGoodPassword } from '../domain/password';
import { refusals } from '../refusals';
import type { UserRow } from '../store/users';
import { apiTokenKeys } from './api-token-keys';
import { endSessions } from './end-sessions';
import { toUserReply } from './wire';

/** Changes a person's names, or the password where the current one is given; other sessions end with the old password, and links that would set another one. */
export async function updateUser(
  deps: Deps,
  request: identity.UpdateUserRequest,
): Promise<identity.User> {
  const { users, sessions, passwordResets, cache, clock } = deps;
  const user = await users.find(request.user_id);
  if (!user) throw platform.recordNotFound();
  const changes: Partial<UserRow> = {
    ...(request.first_name === undefined ? {} : { first_name: request.first_name }),
    ...(request.last_name === undefined ? {} : { last_name: request.last_name }),
    ...newPreferences(request),
    ...(await newPassword(deps, user, request)),
  };
  if (Object.keys(changes).length === 0) return toUserReply(user);
  const ownKeys = [
    ...(request.session_id === undefined ? [] : [authKeys.session(request.session_id)]),
    ...(await apiTokenKeys(deps, user._id)),
  ];
  return cache.revoke(ownKeys, () =>
    endSessions(deps, user._id, async (session) => {
      if (changes.password_hash === undefined) {
        const renamed = await users.update(user._id, changes, session);
        return { result: toUserReply(renamed!), ended: [] };
      }
      const checked = { id: user._id, passwordHash: user.password_hash };
      const changed = await users.updateIfPassword(checked, changes, session);
      if (!changed) throw refusals.wrongCurrentPassword();
      // Who could read the mailbox before may have such a link still.
      await passwordResets.removeOfUser(user._id, session);
      const except = request.session_id;
      const ended = await sessions.revokeAll(user._id, { except, now: clock.now(), session });
      return { result: toUserReply(changed), ended };
    }),
  );
}

/** What is not named stays as it was. */
function newPreferences({
  preferences,
}: identity.UpdateUserRequest): Pick<UserRow, 'preferences'> | undefined {
  const named = Object.entries(preferences ?? {}).filter(([, value]) => value !== undefined);
  return named.length === 0 ? undefined : { preferences: Object.fromEntries(named) };
}

/** Those who never had a password (single sign-on) set their first one by a reset link. */
async function newPassword(
  { passwords, loginFailures }: Deps,
  user: UserRow,
  { password, current_password, ip }: identity.UpdateUserRequest,
): Promise<Pick<UserRow, 'password_hash'> | undefined> {
  if (password === undefined) return undefined;
  const failures = { email: user.email, ip };
  await loginFailures.check(failures);
  const isRight = await passwords.verify(user.password_hash, current_password ?? '', () =>
    loginFailures.check(failures),
  );
  if (!isRight) {
    await loginFailures.count(failures);
    throw refusals.wrongCurrentPassword();
  }
  requireGoodPassword(password);
  return { password_hash: await passwords.hash(password) };
}
