import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { issueSession } from './issue-session';

/**
 * Signs a person in. A wrong address and a wrong password are answered alike and after the same work;
 * failures are counted for the account, for where they come from, and for both together.
 */
export async function login(
  deps: Deps,
  { email, password, ip }: identity.LoginRequest,
): Promise<identity.Tokens> {
  const { connection, users, passwords, loginFailures, clock } = deps;
  const failures = { email, ip };
  await loginFailures.check(failures);
  const user = await users.findByEmail(email);
  const passwordHash = user?.password_hash ?? null;
  const isRight = await passwords.verify(passwordHash, password, () =>
    loginFailures.check(failures),
  );
  if (!user || !isRight) {
    await loginFailures.count(failures);
    throw refusals.wrongLogin();
  }
  return unitOfWork(connection, async (session) => {
    const now = clock.now();
    // The password may have been reset while it was compared: then this login came too late.
    const same = await users.updateIfPassword(
      user._id,
      passwordHash,
      { last_login_at: now },
      session,
    );
    if (!same) throw refusals.wrongLogin();
    return issueSession(deps, user._id, now, session);
  });
}
