import { digestToken } from '@laurel/auth-cache';
import { createEvent } from '@laurel/events';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireGoodPassword } from '../domain/password';
import { refusals } from '../refusals';
import { endSessions } from './end-sessions';

/** Sets a new password by a mailed link, once, and ends every session; API tokens stay. */
export async function resetPassword(
  deps: Deps,
  { token, password }: identity.ResetPasswordRequest,
): Promise<Record<string, never>> {
  const { passwordResets, users, sessions, passwords, outbox, clock } = deps;
  const digest = digestToken(token);
  const reset = await passwordResets.find(digest);
  if (!reset) throw refusals.deadResetToken();
  requireGoodPassword(password);
  const passwordHash = await passwords.hash(password);
  return endSessions(deps, reset.user_id, async (session) => {
    const now = clock.now();
    if (!(await passwordResets.take(digest, now, session))) throw refusals.deadResetToken();
    const user = await users.update(reset.user_id, { password_hash: passwordHash }, session);
    if (!user) throw refusals.deadResetToken();
    const ended = await sessions.revokeAll(user._id, { now, session });
    const revoked = { user_id: user._id, revoked_at: now.toISOString() };
    await outbox.append(
      [
        createEvent('identity.user_sessions_revoked', {
          workspaceId: null,
          subject: user._id,
          data: revoked,
        }),
      ],
      session,
    );
    return { result: {}, ended };
  });
}
