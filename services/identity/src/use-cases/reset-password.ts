import { digestToken } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireGoodPassword } from '../domain/password';
import { refusals } from '../refusals';
import { endSessions, revokeEverySession } from './end-sessions';

/** Sets a new password by a mailed link, once, and ends every session; API tokens stay. The link proves the address. */
export async function resetPassword(
  deps: Deps,
  { token, password }: identity.ResetPasswordRequest,
): Promise<Record<string, never>> {
  const { passwordResets, users, emailVerifications, passwords, clock } = deps;
  const digest = digestToken(token);
  const reset = await passwordResets.find(digest);
  if (!reset) throw refusals.deadLink();
  requireGoodPassword(password);
  const passwordHash = await passwords.hash(password);
  return endSessions(deps, reset.user_id, async (session) => {
    const now = clock.now();
    if (!(await passwordResets.take(digest, now, session))) throw refusals.deadLink();
    const changes = { password_hash: passwordHash, email_verified: true };
    const user = await users.update(reset.user_id, changes, session);
    if (!user) throw refusals.deadLink();
    await emailVerifications.remove(user._id, session);
    return { result: {}, ended: await revokeEverySession(deps, user._id, now, session) };
  });
}
