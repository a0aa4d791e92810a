import { digestToken } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isPasswordProven } from '../domain/address-proof';
import { requireGoodPassword } from '../domain/password';
import { refusals } from '../refusals';
import { endSessions, revokeEverySession } from './end-sessions';
import { endWhatWasPrepared } from './end-what-was-prepared';

/**
 * Sets a new password by a mailed link, once, and ends every session. The link proves the address. Tokens stay
 * (part 3, section 16); where the password before was not set after a proof, somebody else may have made them by a
 * password that only they know: they are marked, get nothing that is meant for the address, and end with the next
 * membership (docs/adr/0014).
 */
export async function resetPassword(
  deps: Deps,
  { token, password }: identity.ResetPasswordRequest,
): Promise<Record<string, never>> {
  const { passwordResets, users, apiTokens, namedTokens, emailVerifications, passwords, clock } =
    deps;
  const digest = digestToken(token);
  const reset = await passwordResets.find(digest);
  if (!reset) throw refusals.deadLink();
  requireGoodPassword(password);
  const passwordHash = await passwords.hash(password);
  return endSessions(deps, reset.user_id, async (session) => {
    const now = clock.now();
    if (!(await passwordResets.take(digest, now, session))) throw refusals.deadLink();
    // Taken before it is read: whatever makes a token meanwhile comes before or after all of this.
    const before = await users.lockCredentials(reset.user_id, session);
    if (!before) throw refusals.deadLink();
    const changes = { password_hash: passwordHash, email_verified: true, password_proven: true };
    const user = (await users.update(reset.user_id, changes, session))!;
    if (!isPasswordProven(before)) {
      await apiTokens.suspect(user._id, session);
      await namedTokens.suspect(user._id, session);
      await endWhatWasPrepared(deps, user, session);
    }
    await emailVerifications.remove(user._id, session);
    return { result: {}, ended: await revokeEverySession(deps, user._id, { now, session }) };
  });
}
