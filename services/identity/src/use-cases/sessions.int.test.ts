import { authKeys, digestToken, readAuth } from '@laurel/auth-cache';
import { connectRedis } from '@laurel/backend';
import type { identity } from '@laurel/rpc';
import { silentLogger, testServers } from '@laurel/testing';
import { createFailureLimit } from '../outside/failure-limit';
import { createLoginFailures, type LoginFailures } from '../outside/login-failures';
import {
  type IdentityUnderTest,
  identityUnderTest,
  outcome,
  PASSWORD,
} from '../testing/identity-under-test';
import { acceptInvitation } from './accept-invitation';
import { addMember } from './add-member';
import { invite } from './invite';
import { listMyInvitations } from './list-invitations';
import { login } from './login';
import { refresh } from './refresh';
import { regenerateApiToken } from './regenerate-api-token';
import { requestPasswordReset } from './request-password-reset';
import { resetPassword } from './reset-password';
import { resolveApiToken, resolveMembership, resolveSession } from './resolve';
import { updateUser } from './update-user';
import { verifyEmail } from './verify-email';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('sessions', () => {
  let it: IdentityUnderTest;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  const sessionOf = (accessToken: string): string =>
    it.deps.tokens.verify('session_access', accessToken).sid!;
  const resolve = (accessToken: string) =>
    outcome(resolveSession(it.deps, { session_id: sessionOf(accessToken) }));
  const resetLinkFor = async (email: string, ip = '192.0.2.1'): Promise<string> => {
    await requestPasswordReset(it.deps, { email, ip });
    const mail = (await it.sent()).filter(({ to }) => to === email).at(-1)!;
    return /token=(\w+)/.exec(mail.text)![1]!;
  };

  test('refresh for seven days after the last use, and are expired then', async () => {
    const user = await it.newUser();
    const first = await it.signIn(user.email);
    it.clock.advanceMs(6 * DAY_MS);
    const second = await refresh(it.deps, first);
    it.clock.advanceMs(6 * DAY_MS);
    const third = await refresh(it.deps, second);
    it.clock.advanceMs(7 * DAY_MS);
    expect(await outcome(refresh(it.deps, third))).toBe('TOKEN_EXPIRED');
  });

  test('end as a family when a used refresh token comes again', async () => {
    const user = await it.newUser();
    const first = await it.signIn(user.email);
    const second = await refresh(it.deps, first);
    expect(await outcome(refresh(it.deps, first))).toBe('INVALID_TOKEN');
    expect(await outcome(refresh(it.deps, second))).toBe('INVALID_TOKEN');
    expect(await resolve(second.access_token)).toBe('INVALID_TOKEN');
  });

  test('store no token that would work', async () => {
    const user = await it.newUser();
    const { access_token, refresh_token } = await it.signIn(user.email);
    const session_id = sessionOf(access_token);
    const { token } = await regenerateApiToken(it.deps, { user_id: user.id, session_id });
    const names = ['users', 'sessions', 'refresh_tokens', 'api_tokens'];
    const stored = await Promise.all(
      names.map((name) => it.deps.connection.collection(name).find({}).toArray()),
    );
    const text = JSON.stringify(stored);
    expect(text).toContain(digestToken(token));
    for (const secret of [refresh_token, token, PASSWORD]) expect(text).not.toContain(secret);
  });

  test('are not opened by a password that was reset while it was being compared', async () => {
    const user = await it.newUser();
    const token = await resetLinkFor(user.email);
    const slow = {
      ...it.deps,
      passwords: {
        ...it.deps.passwords,
        verify: async (...given: Parameters<typeof it.deps.passwords.verify>) => {
          const isRight = await it.deps.passwords.verify(...given);
          await resetPassword(it.deps, { token, password: 'another long passphrase' });
          return isRight;
        },
      },
    };
    const late = login(slow, { email: user.email, password: PASSWORD, ip: '192.0.2.1' });
    expect(await outcome(late)).toBe('INVALID_CREDENTIALS');
    expect(await it.deps.sessions.liveIds(user.id, it.clock.now())).toEqual([]);
  });

  test('cached or not, end with a password reset', async () => {
    const user = await it.newUser();
    const [cached, fresh] = [await it.signIn(user.email), await it.signIn(user.email)];
    expect(await resolve(cached.access_token)).toBe('done');
    const key = authKeys.session(sessionOf(cached.access_token));
    expect(await readAuth(it.redis, [key])).not.toEqual([null]);
    await resetPassword(it.deps, {
      token: await resetLinkFor(user.email),
      password: 'another long passphrase',
    });
    expect(await readAuth(it.redis, [key])).toEqual([null]);
    expect(await resolve(cached.access_token)).toBe('INVALID_TOKEN');
    expect(await resolve(fresh.access_token)).toBe('INVALID_TOKEN');
  });

  test('a reset link lives an hour, and a mailbox gets five an hour', async () => {
    const user = await it.newUser();
    const links = [];
    for (let time = 0; time < 7; time += 1) links.push(await resetLinkFor(user.email));
    const mails = await it.sent();
    const resets = mails.filter(({ to, text }) => to === user.email && text.includes('/reset-'));
    expect(resets).toHaveLength(5);
    it.clock.advanceMs(60 * MINUTE_MS);
    const late = resetPassword(it.deps, { token: links[0]!, password: 'another long passphrase' });
    expect(await outcome(late)).toBe('INVALID_PAYLOAD');
  });

  test('a reset link ends with the password that it would replace, and not with a name', async () => {
    const user = await it.newUser();
    const token = await resetLinkFor(user.email);
    const caller = { user_id: user.id, ip: '192.0.2.1' };
    const reset = (link: string, password: string) =>
      outcome(resetPassword(it.deps, { token: link, password }));
    await updateUser(it.deps, { ...caller, first_name: 'Ann' });
    expect(await reset(token, 'a second long passphrase')).toBe('done');
    const links = [await resetLinkFor(user.email), await resetLinkFor(user.email)];
    const change = { password: 'a third long passphrase' };
    await updateUser(it.deps, {
      ...caller,
      ...change,
      current_password: 'a second long passphrase',
    });
    for (const link of links)
      expect(await reset(link, 'a fourth long passphrase')).toBe('INVALID_PAYLOAD');
  });

  test('who signed in from where a reset is asked for gets it, however many strangers ask', async () => {
    const user = await it.newUser();
    await it.signIn(user.email);
    const resets = async () =>
      (await it.sent()).filter(({ to, text }) => to === user.email && text.includes('/reset-'));
    for (let source = 0; source < 6; source += 1)
      for (let time = 0; time < 5; time += 1)
        await requestPasswordReset(it.deps, { email: user.email, ip: `203.0.113.${source}` });
    expect(await resets()).toHaveLength(20);
    await resetLinkFor(user.email, '203.0.113.9');
    expect(await resets()).toHaveLength(20);
    await resetLinkFor(user.email);
    expect(await resets()).toHaveLength(21);
  });

  test('a reset mail names an API token that somebody may have made before the proof', async () => {
    const user = await it.newUser();
    const session_id = sessionOf((await it.signIn(user.email)).access_token);
    const newest = async () => (await it.sent()).filter(({ to }) => to === user.email).at(-1)!.text;
    const token = await resetLinkFor(user.email);
    expect(await newest()).not.toContain('API token');
    await regenerateApiToken(it.deps, { user_id: user.id, session_id });
    await resetLinkFor(user.email);
    expect(await newest()).toContain('API token');
    await resetPassword(it.deps, { token, password: 'another long passphrase' });
    await resetLinkFor(user.email);
    expect(await newest()).not.toContain('API token');
  });

  test('who proves the address of an account hears who else is in what it opened, and what was not taken up ends', async () => {
    const [user, accomplice] = [await it.newUser(), await it.newUser()];
    const workspace_id = (await it.newWorkspace(user)).id;
    await addMember(it.deps, { workspace_id, user_id: accomplice.id, role: 'admin' });
    const email = `late-${user.email}`;
    const about = { workspace_id, role: 'admin', inviter_id: user.id };
    const { invitation } = await invite(it.deps, { ...about, email });
    const reset = async () =>
      resetPassword(it.deps, {
        token: await resetLinkFor(user.email),
        password: 'another long passphrase',
      });
    await reset();
    const told = async () =>
      (await it.sent()).filter(({ to, text }) => to === user.email && text.includes('webhooks'));
    expect((await told()).map(({ text }) => text.includes(accomplice.email))).toEqual([true]);
    const late = await it.newUser(email);
    const accept = { user_id: late.id, invitation_token: invitation!.invitation_token! };
    expect(await outcome(acceptInvitation(it.deps, accept))).toBe('INVALID_PAYLOAD');
    // From then on the password is the owner's: what they invite stays, and there is nothing to warn of.
    const next = await invite(it.deps, { ...about, email });
    await reset();
    expect(await told()).toHaveLength(1);
    const again = { user_id: late.id, invitation_token: next.invitation!.invitation_token! };
    expect(await outcome(acceptInvitation(it.deps, again))).toBe('done');
  });

  describe('of a program, by an API token that was made before the address was proven,', () => {
    const made = async (user: identity.User) => {
      const session_id = sessionOf((await it.signIn(user.email)).access_token);
      return (await regenerateApiToken(it.deps, { user_id: user.id, session_id })).token;
    };
    const works = async (token: string) =>
      (await outcome(resolveApiToken(it.deps, { token_sha256: digestToken(token) }))) === 'done';
    const NEW_PASSWORD = 'the passphrase of the owner';
    const reset = async ({ email }: identity.User) =>
      resetPassword(it.deps, { token: await resetLinkFor(email), password: NEW_PASSWORD });
    const follow = async ({ email }: identity.User) => {
      const mail = (await it.sent()).find(
        ({ to, text }) => to === email && text.includes('verify'),
      )!;
      await verifyEmail(it.deps, { token: /token=(\w+)/.exec(mail.text)![1]! });
    };
    const remade = (user: identity.User, session_id?: string) =>
      regenerateApiToken(it.deps, { user_id: user.id, ...(session_id ? { session_id } : {}) });
    const invited = async ({ email }: identity.User) => {
      const owner = await it.newUser();
      const workspace_id = (await it.newWorkspace(owner)).id;
      const request = { workspace_id, email, role: 'admin', inviter_id: owner.id };
      return (await invite(it.deps, request)).invitation!.invitation_token;
    };

    const joins: [name: string, join: (user: identity.User) => Promise<unknown>][] = [
      [
        'accepts an invitation',
        async (user) => {
          const { access_token } = await login(it.deps, {
            email: user.email,
            password: NEW_PASSWORD,
            ip: '192.0.2.1',
          });
          const invitation_token = await invited(user);
          const session_id = sessionOf(access_token);
          return acceptInvitation(it.deps, { user_id: user.id, session_id, invitation_token });
        },
      ],
      [
        'is made a member',
        async ({ id: user_id }) => {
          const workspace_id = (await it.newWorkspace(await it.newUser())).id;
          return addMember(it.deps, { workspace_id, user_id, role: 'member' });
        },
      ],
      ['opens a workspace', (user) => it.newWorkspace(user)],
    ];

    test.each(joins)('stay after a reset, until its user %s', async (_how, join) => {
      const user = await it.newUser();
      await made(user);
      const { token } = await remade(user);
      await reset(user);
      expect(await works(token)).toBe(true);
      await join(user);
      // Also where the answer was cached a moment ago.
      expect(await works(token)).toBe(false);
    });

    test('make no other after a reset, and neither see nor accept an invitation', async () => {
      const user = await it.newUser();
      await made(user);
      await reset(user);
      expect(await outcome(remade(user))).toBe('FORBIDDEN');
      const invitation_token = await invited(user);
      expect((await listMyInvitations(it.deps, { user_id: user.id })).invitations).toEqual([]);
      const accept = { user_id: user.id, invitation_token };
      expect(await outcome(acceptInvitation(it.deps, accept))).toBe('FORBIDDEN');
    });

    test('get nothing that is meant for the address once the link of the registration was followed', async () => {
      const user = await it.newUser();
      const token = await made(user);
      const session_id = sessionOf((await it.signIn(user.email)).access_token);
      await follow(user);
      const invitation_token = await invited(user);
      const mine = async (by: { session_id?: string }) =>
        (await listMyInvitations(it.deps, { user_id: user.id, ...by })).invitations;
      expect(await mine({})).toEqual([]);
      expect(await mine({ session_id })).toHaveLength(1);
      expect(await outcome(remade(user))).toBe('FORBIDDEN');
      const accept = { user_id: user.id, invitation_token };
      expect(await outcome(acceptInvitation(it.deps, accept))).toBe('FORBIDDEN');
      expect(await works(token)).toBe(true);
      expect(await outcome(acceptInvitation(it.deps, { ...accept, session_id }))).toBe('done');
    });

    test('end with the next membership after a reset that follows that link, and so do those that the first password led to since', async () => {
      const early = await it.newUser();
      const late = await it.newUser();
      const tokens = [await made(early)];
      const opened = sessionOf((await it.signIn(late.email)).access_token);
      await follow(early);
      await follow(late);
      tokens.push((await remade(late, opened)).token);
      // A password that is changed by who knows the first one proves nothing.
      const change = { password: 'another long passphrase', current_password: PASSWORD };
      await updateUser(it.deps, {
        user_id: late.id,
        session_id: opened,
        ip: '192.0.2.1',
        ...change,
      });
      tokens.push((await remade(late, opened)).token);
      for (const user of [early, late]) {
        await reset(user);
        expect(await outcome(remade(user))).toBe('FORBIDDEN');
        await it.newWorkspace(user);
      }
      expect(await Promise.all(tokens.map(works))).toEqual([false, false, false]);
    });

    test('stay after a reset once the owner has made it by a password set after a proof', async () => {
      const user = await it.newUser();
      await made(user);
      await reset(user);
      const { access_token } = await login(it.deps, {
        email: user.email,
        password: NEW_PASSWORD,
        ip: '192.0.2.1',
      });
      const { token } = await remade(user, sessionOf(access_token));
      await it.newWorkspace(user);
      await reset(user);
      expect(await works(token)).toBe(true);
      expect((await remade(user)).token).not.toBe(token);
    });
  });

  test('without Redis are still resolved from the store, and revoked ones still refused', async () => {
    const user = await it.newUser();
    const workspace = await it.newWorkspace(user);
    const away = await connectRedis(testServers().redisUrl, silentLogger);
    away.destroy();
    const { createAuthCache } = await import('@laurel/auth-cache');
    const blind = { ...it.deps, cache: createAuthCache(away) };
    const session_id = sessionOf((await it.signIn(user.email)).access_token);
    const { token } = await regenerateApiToken(blind, { user_id: user.id, session_id });
    const byToken = (of: string) => resolveApiToken(blind, { token_sha256: digestToken(of) });
    expect((await byToken(token)).user_id).toBe(user.id);
    expect(
      (await resolveMembership(blind, { workspace_id: workspace.id, user_id: user.id })).is_creator,
    ).toBe(true);
    // As a call that came with the token itself.
    await regenerateApiToken(blind, { user_id: user.id });
    expect(await outcome(byToken(token))).toBe('INVALID_TOKEN');
  });
});

describe('failed logins', () => {
  const LIMIT = 10;
  let it: IdentityUnderTest;
  let loginFailures: LoginFailures;
  let round = 0;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  beforeEach(() => {
    round += 1;
    const name = `${it.deps.connection.name}:${round}`;
    const limits = { perPair: LIMIT, perAccount: 2 * LIMIT, perAddress: 3 * LIMIT };
    loginFailures = createLoginFailures(it.redis, name, limits);
  });
  afterAll(() => it.stop());

  const attempt = (email: string, password: string, ip = '192.0.2.7') =>
    outcome(login({ ...it.deps, loginFailures }, { email, password, ip }));

  test('from one address make even the right password wait there, and nowhere else', async () => {
    const [{ email }, colleague] = [await it.newUser(), await it.newUser()];
    for (let time = 0; time < LIMIT; time += 1)
      expect(await attempt(email, 'wrong')).toBe('INVALID_CREDENTIALS');
    expect(await attempt(email.toUpperCase(), PASSWORD)).toBe('RATE_LIMITED');
    expect(await attempt(email, PASSWORD, '192.0.2.8')).toBe('done');
    expect(await attempt(colleague.email, PASSWORD)).toBe('done');
  });

  test('at one account are bounded wherever they come from, known to exist or not', async () => {
    for (const email of [(await it.newUser()).email, 'unknown@example.com']) {
      for (let time = 0; time < 2 * LIMIT; time += 1)
        expect(await attempt(email, 'wrong', `192.0.2.${time}`)).toBe('INVALID_CREDENTIALS');
      expect(await attempt(email, PASSWORD, '192.0.2.99')).toBe('RATE_LIMITED');
    }
  });

  test('from one address are bounded whosever account they try', async () => {
    for (let time = 0; time < 3 * LIMIT; time += 1)
      expect(await attempt(`nobody-${time}@example.com`, 'wrong')).toBe('INVALID_CREDENTIALS');
    const { email } = await it.newUser();
    expect(await attempt(email, PASSWORD)).toBe('RATE_LIMITED');
    expect(await attempt(email, PASSWORD, '192.0.2.8')).toBe('done');
  });

  test('of a password that is being changed count as well', async () => {
    const { id, email } = await it.newUser();
    const change = { user_id: id, password: 'a brand new passphrase', ip: '192.0.2.7' };
    for (let time = 0; time < LIMIT; time += 1)
      await outcome(
        updateUser({ ...it.deps, loginFailures }, { ...change, current_password: 'x' }),
      );
    expect(await attempt(email, PASSWORD)).toBe('RATE_LIMITED');
  });

  test('made all at once give away no more than ten answers', async () => {
    const { email } = await it.newUser();
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => attempt(email, 'wrong')));
    expect(outcomes.filter((each) => each === 'INVALID_CREDENTIALS').length).toBeLessThanOrEqual(
      LIMIT,
    );
    expect(outcomes.filter((each) => each === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(30);
  });

  test('are all that counts: logging in often is fine', async () => {
    const { email } = await it.newUser();
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => attempt(email, PASSWORD)));
    expect(new Set(outcomes)).toEqual(new Set(['done']));
  });

  test('say when to come again', async () => {
    const stranger = { email: 'nobody@example.com', ip: '192.0.2.7' };
    for (let time = 0; time < LIMIT; time += 1) await loginFailures.count(stranger);
    await expect(loginFailures.check(stranger)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: expect.any(Number),
    });
  });

  test('are counted without Redis too', async () => {
    const away = await connectRedis(testServers().redisUrl, silentLogger);
    away.destroy();
    const limit = createFailureLimit(away, 'away', 2);
    await limit.count('a');
    await limit.count('a');
    expect(await outcome(limit.check('a'))).toBe('RATE_LIMITED');
  });
});
