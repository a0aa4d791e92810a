import { call } from './support/api';
import {
  expectStatus,
  newUser,
  newWorkspace,
  PASSWORD,
  signIn,
  uniqueEmail,
} from './support/factories';
import { mailsTo, mailTo, tokenIn } from './support/mails';
import { codeOf, fieldOf, ISO, UUID } from './support/replies';

const me = (token: string) => call('GET', '/user/me', { token });
const register = (body: unknown) => call('POST', '!/auth/register', { body });
const login = (email: string, password: string) =>
  call('POST', '!/auth/login', { body: { email, password } });
const refresh = (refreshToken: string) =>
  call('POST', '!/auth/refresh', { body: { refresh_token: refreshToken } });

describe('registering', () => {
  test('answers the user, without the password', async () => {
    const email = uniqueEmail();
    const reply = await register({ email, password: PASSWORD, first_name: 'Ada' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      data: {
        id: UUID,
        email,
        first_name: 'Ada',
        last_name: null,
        date_created: ISO,
        email_verified: false,
      },
    });
  });

  test.each([
    ['no e-mail', { password: PASSWORD }, 'email'],
    ['no password', { email: uniqueEmail() }, 'password'],
    ['a malformed e-mail', { email: 'nobody', password: PASSWORD }, 'email'],
    ['a short password', { email: uniqueEmail(), password: 'nine-char' }, 'password'],
    ['a common password', { email: uniqueEmail(), password: 'Password123' }, 'password'],
    ['a row of keys', { email: uniqueEmail(), password: 'qwertyuiop' }, 'password'],
    ['an unknown field', { email: uniqueEmail(), password: PASSWORD, role: 'admin' }, 'role'],
    ['a number as name', { email: uniqueEmail(), password: PASSWORD, first_name: 7 }, 'first_name'],
  ])('refuses %s', async (_what, body, field) => {
    const reply = await register(body);
    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe('INVALID_PAYLOAD');
    expect(fieldOf(reply)).toBe(field);
  });

  test('takes an address once, in whatever case, however many try together', async () => {
    const email = uniqueEmail('Race');
    const spellings = [email, email.toUpperCase(), email.toLowerCase(), email];
    const replies = await Promise.all(
      spellings.map((each) => register({ email: each, password: PASSWORD })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(fieldOf(replies.find(({ status }) => status === 400)!)).toBe('email');
  });
});

describe('signing in', () => {
  test('gives tokens that open the account for 15 minutes', async () => {
    const { email } = await newUser();
    const reply = await login(email.toUpperCase(), PASSWORD);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      data: {
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        expires: 900_000,
      },
    });
    expect((await me(reply.body.data.access_token)).body.data.email).toBe(email);
  });

  test('answers a wrong password and an unknown address alike', async () => {
    const { email } = await newUser();
    const wrong = await login(email, 'not the password at all');
    const unknown = await login(uniqueEmail(), 'not the password at all');
    expect(wrong.status).toBe(401);
    expect(codeOf(wrong)).toBe('INVALID_CREDENTIALS');
    expect(unknown.status).toBe(wrong.status);
    expect(unknown.body).toEqual(wrong.body);
  });

  test.each([[{}], [{ email: 'a@example.com' }], [{ email: 1, password: PASSWORD }]])(
    'refuses the body %j',
    async (body) => {
      expectStatus(await call('POST', '!/auth/login', { body }), 400);
    },
  );
});

describe('refreshing', () => {
  test('rotates: the new pair works', async () => {
    const user = await newUser();
    const reply = expectStatus(await refresh(user.refreshToken), 200);
    expect(Object.keys(reply.body.data).sort()).toEqual([
      'access_token',
      'expires',
      'refresh_token',
    ]);
    expect(reply.body.data.refresh_token).not.toBe(user.refreshToken);
    expectStatus(await me(reply.body.data.access_token), 200);
    expectStatus(await refresh(reply.body.data.refresh_token), 200);
  });

  test('ends the whole family when a used token comes again', async () => {
    const user = await newUser();
    const next = expectStatus(await refresh(user.refreshToken), 200).body.data;
    const again = await refresh(user.refreshToken);
    expect(again.status).toBe(401);
    expect(codeOf(again)).toBe('INVALID_TOKEN');
    expectStatus(await refresh(next.refresh_token), 401);
    expectStatus(await me(next.access_token), 401);
    expectStatus(await me(user.token), 401);
  });

  test('gives at most one new pair for a token presented many times at once', async () => {
    const user = await newUser();
    const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(user.refreshToken)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(8 - won.length);
  });

  test('refuses what no session gave out', async () => {
    const reply = await refresh('made-up');
    expect(reply.status).toBe(401);
    expect(codeOf(reply)).toBe('INVALID_TOKEN');
    expectStatus(await call('POST', '!/auth/refresh', { body: {} }), 400);
  });
});

describe('logging out', () => {
  test('ends access on the next request', async () => {
    const user = await newUser();
    expectStatus(await me(user.token), 200);
    const reply = await call('POST', '!/auth/logout', {
      body: { refresh_token: user.refreshToken },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    const after = await me(user.token);
    expect(after.status).toBe(401);
    expect(codeOf(after)).toBe('INVALID_TOKEN');
    expectStatus(await refresh(user.refreshToken), 401);
  });

  test('leaves other sessions of the user alone', async () => {
    const user = await newUser();
    const other = await signIn(user.email);
    await call('POST', '!/auth/logout', { body: { refresh_token: user.refreshToken } });
    expectStatus(await me(other.token), 200);
  });
});

describe('credentials', () => {
  test('that are missing are 403, malformed or unknown ones 401', async () => {
    const without = await call('GET', '/user/me');
    expect(without.status).toBe(403);
    expect(codeOf(without)).toBe('FORBIDDEN');
    for (const token of ['nonsense', 'a.b.c', '0'.repeat(64)]) {
      const reply = await me(token);
      expect(reply.status).toBe(401);
      expect(codeOf(reply)).toBe('INVALID_TOKEN');
    }
  });

  test('with a changed body are refused', async () => {
    const { token } = await newUser();
    const other = await newUser();
    const [header, , signature] = token.split('.');
    expectStatus(await me(`${header}.${other.token.split('.')[1]}.${signature}`), 401);
  });
});

describe('a forgotten password', () => {
  const request = (email: string) => call('POST', '!/auth/password/request', { body: { email } });
  const reset = (token: string, password: string) =>
    call('POST', '!/auth/password/reset', { body: { token, password } });

  test('is replaced by a mailed link, once; sessions end, API tokens stay', async () => {
    const user = await newUser();
    const apiToken = (await call('POST', '/user/api-token/regenerate', { token: user.token })).body
      .token;
    expectStatus(await request(user.email), 200);
    const token = tokenIn(await mailTo(user.email));
    expectStatus(await reset(token, 'short'), 400);
    expectStatus(await reset(token, 'a brand new passphrase'), 200);
    expectStatus(await me(user.token), 401);
    expectStatus(await refresh(user.refreshToken), 401);
    expectStatus(await me(apiToken), 200);
    expectStatus(await login(user.email, PASSWORD), 401);
    expectStatus(await login(user.email, 'a brand new passphrase'), 200);
    const again = await reset(token, 'yet another passphrase');
    expect(again.status).toBe(400);
    expect(codeOf(again)).toBe('INVALID_PAYLOAD');
  });

  test('is reset by one of many who use the link at once', async () => {
    const user = await newUser();
    await request(user.email);
    const token = tokenIn(await mailTo(user.email));
    const replies = await Promise.all(
      ['one', 'two', 'three'].map((name) => reset(token, `passphrase number ${name}`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('of an unknown address gets the same answer and no mail', async () => {
    const known = await newUser();
    const stranger = uniqueEmail('stranger');
    const [forKnown, forStranger] = [await request(known.email), await request(stranger)];
    expect(forStranger.status).toBe(200);
    expect(forStranger.body).toEqual(forKnown.body);
    await mailTo(known.email);
    expect(await mailsTo(stranger)).toEqual([]);
  });

  test('is not reset by a made-up token', async () => {
    expectStatus(await reset('made-up', 'a brand new passphrase'), 400);
  });
});

describe('the own account', () => {
  test('can be renamed', async () => {
    const user = await newUser();
    const reply = expectStatus(
      await call('PATCH', '/user/me', {
        token: user.token,
        body: { first_name: 'Ada', last_name: null },
      }),
      200,
    );
    expect(reply.body.data).toEqual({
      id: user.id,
      email: user.email,
      first_name: 'Ada',
      last_name: null,
      date_created: ISO,
      email_verified: false,
    });
    expect((await me(user.token)).body).toEqual(reply.body);
  });

  test('changes its password with the current one, and other sessions end', async () => {
    const user = await newUser();
    const other = await signIn(user.email);
    const change = (current: string, password: string) =>
      call('PATCH', '/user/me', {
        token: user.token,
        body: { password, current_password: current },
      });
    const wrong = await change('not my password', 'a brand new passphrase');
    expect(wrong.status).toBe(400);
    expect(fieldOf(wrong)).toBe('current_password');
    expect(fieldOf(await change(PASSWORD, '1234567890'))).toBe('password');
    expectStatus(await change(PASSWORD, 'a brand new passphrase'), 200);
    expectStatus(await me(user.token), 200);
    expectStatus(await me(other.token), 401);
    expectStatus(await login(user.email, 'a brand new passphrase'), 200);
  });

  test.each([
    [{ password: 'a brand new passphrase' }],
    [{ current_password: PASSWORD }],
    [{ email: 'new@example.com' }],
  ])('refuses the change %j', async (body) => {
    const { token } = await newUser();
    expectStatus(await call('PATCH', '/user/me', { token, body }), 400);
  });
});

describe('the API token', () => {
  const regenerate = (token: string) => call('POST', '/user/api-token/regenerate', { token });

  test('is shown once, acts as its user, and dies when it is made anew', async () => {
    const workspace = await newWorkspace();
    const { token } = workspace;
    expect((await call('GET', '/user/api-token', { token })).body).toEqual({ has_token: false });
    const first = expectStatus(await regenerate(token), 200);
    expect(first.body).toEqual({
      message: expect.any(String),
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await call('GET', '/user/api-token', { token })).body).toEqual({ has_token: true });
    const list = await call('GET', '/workspaces', { token: first.body.token });
    expect(list.body.data[0].id).toBe(workspace.workspaceId);
    const second = expectStatus(await regenerate(first.body.token), 200);
    const dead = await me(first.body.token);
    expect(dead.status).toBe(401);
    expect(codeOf(dead)).toBe('INVALID_TOKEN');
    expectStatus(await me(second.body.token), 200);
  });

  test('is revoked on the next request', async () => {
    const { token } = await newUser();
    const apiToken = (await regenerate(token)).body.token;
    expectStatus(await me(apiToken), 200);
    const reply = expectStatus(await call('DELETE', '/user/api-token', { token }), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expectStatus(await me(apiToken), 401);
    expect((await call('GET', '/user/api-token', { token })).body).toEqual({ has_token: false });
  });

  test('is one, however many are made at once', async () => {
    const { token } = await newUser();
    const replies = await Promise.all(Array.from({ length: 5 }, () => regenerate(token)));
    const made = replies.filter(({ status }) => status === 200).map(({ body }) => body.token);
    const alive = (await Promise.all(made.map(me))).filter(({ status }) => status === 200);
    expect(alive).toHaveLength(1);
  });
});

describe('single sign-on', () => {
  test('takes no other provider and no body without a token', async () => {
    const sso = (body: unknown) => call('POST', '/auth/sso', { body });
    expectStatus(await sso({ provider: 'elsewhere', token: 'x' }), 400);
    expectStatus(await sso({ provider: 'google' }), 400);
  });
});
