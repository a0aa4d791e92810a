import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { issueSession, REFRESH_SECONDS } from './issue-session';
import { toUserReply } from './wire';

/**
 * Signs a person in. A wrong address and a wrong password are answered alike and after the same work;
 * failures are counted for the account, for where they come from, and for both together.
 */
export async function login(deps: Deps, request: identity.LoginRequest): Promise<identity.Tokens> {
  return (await signIn(deps, request, false)).tokens!;
}

/** The same for a page, which keeps the refresh token in a cookie and shows who it is for. */
export function openPageSession(
  deps: Deps,
  request: identity.LoginRequest,
): Promise<identity.PageSession> {
  return signIn(deps, request, true);
}

async function signIn(
  deps: Deps,
  { email, password, ip, device }: identity.LoginRequest,
  isPage: boolean,
): Promise<identity.PageSession> {
  const { connection, users, passwords, loginFailures, knownSources, clock } = deps;
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
  const signedIn = await unitOfWork(connection, async (session) => {
    const now = clock.now();
    // The password may have been reset while it was compared: then this login came too late.
    const checked = { id: user._id, passwordHash };
    const same = await users.updateIfPassword(checked, { last_login_at: now }, session);
    if (!same) throw refusals.wrongLogin();
    const tokens = await issueSession(deps, { userId: user._id, now, isPage, device }, session);
    return { tokens, user: toUserReply(user), refresh_seconds: REFRESH_SECONDS };
  });
  const from = { door: 'account' as const, emailKey: user.email_key, source: ip };
  await knownSources.note(from, clock.now());
  return signedIn;
}
