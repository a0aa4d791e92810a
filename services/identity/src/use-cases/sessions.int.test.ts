import { authKeys, digestToken, readAuth } from '@laurel/auth-cache';
import { connectRedis } from '@laurel/backend';
import { silentLogger, testServers } from '@laurel/testing';
import { createFailureLimit } from '../failure-limit';
import { createLoginFailures, type LoginFailures } from '../login-failures';
import {
  type IdentityUnderTest,
  identityUnderTest,
  outcome,
  PASSWORD,
} from '../testing/identity-under-test';
import { login } from './login';
import { refresh } from './refresh';
import { regenerateApiToken } from './regenerate-api-token';
import { requestPasswordReset } from './request-password-reset';
import { resetPassword } from './reset-password';
import { resolveApiToken, resolveMembership, resolveSession } from './resolve';
import { updateUser } from './update-user';

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
  const resetLinkFor = async (email: string): Promise<string> => {
    await requestPasswordReset(it.deps, { email });
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
    expect(await it.deps.sessions.liveIds(user.id)).toEqual([]);
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

  test('a reset mail names an API token that somebody made before the address was proven', async () => {
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
    for (const email of [(await it.newUser()).email, 'nobody@example.com']) {
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
