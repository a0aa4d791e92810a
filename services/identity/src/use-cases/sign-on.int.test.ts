import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { digestToken } from '@laurel/auth-cache';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createSignOnProvider } from '../outside/sign-on-provider';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { getUser } from './get-user';
import { invite } from './invite';
import { refresh } from './refresh';
import { regenerateApiToken } from './regenerate-api-token';
import { resolveApiToken, resolveSession } from './resolve';
import { signOn } from './sign-on';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'laurel-client';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

describe('single sign-on', () => {
  let it: IdentityUnderTest;
  let server: Server;
  let jwksUrl: string;
  let keys: Keys;
  let strangers: Keys;
  let count = 0;

  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    strangers = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    it = await identityUnderTest({
      google: createSignOnProvider({ clientId: AUDIENCE, jwksUrl, issuer: ISSUER }),
    });
  });
  afterAll(async () => {
    server.close();
    await it.stop();
  });

  interface Claims {
    sub?: string;
    email?: string | undefined;
    email_verified?: unknown;
    issuer?: string;
    audience?: string | string[];
    azp?: string;
    nonce?: string;
    expiresAt?: number;
    key?: Keys['privateKey'];
  }
  const tokenOf = (claims: Claims = {}): Promise<string> => {
    count += 1;
    const {
      issuer = ISSUER,
      audience = AUDIENCE,
      key = keys.privateKey,
      expiresAt,
      ...body
    } = claims;
    const person = { sub: `subject-${count}`, email: `sso-${count}@example.com` };
    const payload = {
      ...person,
      email_verified: true,
      given_name: 'Ada',
      family_name: 'L',
      ...body,
    };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(expiresAt ?? Math.floor(Date.now() / 1_000) + 600)
      .sign(key);
  };
  const enter = (token: string) => signOn(it.deps, { provider: 'google', token });

  test('makes a user of whom the provider vouches for, once', async () => {
    const claims = { sub: 'ada', email: 'ada@example.com' };
    const first = await enter(await tokenOf(claims));
    expect(first.user).toMatchObject({
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'L',
    });
    expect(it.deps.tokens.verify('session_access', first.access_token).sub).toBe(first.user!.id);
    const moved = await enter(await tokenOf({ ...claims, email: 'ada@elsewhere.example' }));
    expect(moved.user!.id).toBe(first.user!.id);
  });

  test('makes one user of many first sign-ons at once', async () => {
    const token = await tokenOf();
    const replies = await Promise.all([1, 2, 3, 4].map(() => enter(token)));
    expect(new Set(replies.map(({ user }) => user!.id)).size).toBe(1);
  });

  test('finds the user who registered with the address', async () => {
    const user = await it.newUser('grace@example.com');
    const reply = await enter(await tokenOf({ email: 'Grace@Example.com' }));
    expect(reply.user!.id).toBe(user.id);
  });

  test('gives an account that somebody registered in advance to who proves the address', async () => {
    const email = 'victim@example.com';
    const stranger = await it.newUser(email);
    const session = await it.signIn(email);
    const sessionId = it.deps.tokens.verify('session_access', session.access_token).sid!;
    const known = { user_id: stranger.id, session_id: sessionId };
    const { token: apiToken } = await regenerateApiToken(it.deps, known);
    const asToken = { token_sha256: digestToken(apiToken) };
    await resolveSession(it.deps, { session_id: sessionId });
    await resolveApiToken(it.deps, asToken);

    const reply = await enter(await tokenOf({ email }));
    expect(reply.user).toMatchObject({ id: stranger.id, email_verified: true });
    expect(await outcome(resolveSession(it.deps, { session_id: sessionId }))).toBe('INVALID_TOKEN');
    expect(await outcome(resolveApiToken(it.deps, asToken))).toBe('INVALID_TOKEN');
    expect(await outcome(it.signIn(email))).toBe('INVALID_CREDENTIALS');
    const { refresh_token } = session;
    expect(await outcome(refresh(it.deps, { refresh_token }))).toBe('INVALID_TOKEN');
    // A request that was let in before must not leave a token behind after it.
    expect(await outcome(regenerateApiToken(it.deps, known))).toBe('INVALID_TOKEN');
    const mine = it.deps.tokens.verify('session_access', reply.access_token).sid!;
    expect(await outcome(resolveSession(it.deps, { session_id: mine }))).toBe('done');
  });

  test('leaves the password of who has proven the address', async () => {
    const email = 'proven@example.com';
    const user = await it.newUser(email);
    const rows = it.deps.connection.collection<{ _id: string }>('users');
    await rows.updateOne({ _id: user.id }, { $set: { email_verified: true } });
    expect((await enter(await tokenOf({ email }))).user!.id).toBe(user.id);
    expect(await outcome(it.signIn(email))).toBe('done');
  });

  test('takes over an account from before addresses were proven, and trusts one that never had a password', async () => {
    const rows = it.deps.connection.collection<{ _id: string }>('users');
    const email = 'long-ago@example.com';
    const user = await it.newUser(email);
    const before = { $unset: { email_verified: 1 as const } };
    await rows.updateOne({ _id: user.id }, { ...before, $set: { google_subject: 'long-ago' } });
    expect((await getUser(it.deps, { user_id: user.id })).email_verified).toBe(false);
    await enter(await tokenOf({ sub: 'long-ago', email }));
    expect(await outcome(it.signIn(email))).toBe('INVALID_CREDENTIALS');
    await rows.updateOne({ _id: user.id }, before);
    expect((await getUser(it.deps, { user_id: user.id })).email_verified).toBe(true);
  });

  test('takes a token that names us among others only if it was handed to us', async () => {
    const several = [AUDIENCE, 'somebody-else'];
    expect(await outcome(enter(await tokenOf({ azp: AUDIENCE, audience: several })))).toBe('done');
    expect(await outcome(enter(await tokenOf({ audience: several })))).toBe('INVALID_TOKEN');
    expect(await outcome(enter(await tokenOf({ azp: 'somebody-else' })))).toBe('INVALID_TOKEN');
  });

  test('takes no token of another attempt from a page that gave a nonce', async () => {
    const attempt = async (nonce: string, carried?: string) => {
      const token = await tokenOf(carried === undefined ? {} : { nonce: carried });
      return outcome(signOn(it.deps, { provider: 'google', token, nonce }));
    };
    expect(await attempt('mine', 'mine')).toBe('done');
    expect(await attempt('mine', 'theirs')).toBe('INVALID_TOKEN');
    expect(await attempt('mine')).toBe('INVALID_TOKEN');
  });

  test.each<[string, () => Claims | Promise<Claims>]>([
    ['another audience', () => ({ audience: 'someone-else' })],
    ['another issuer', () => ({ issuer: 'https://evil.example' })],
    ['an unknown key', () => ({ key: strangers.privateKey })],
    ['a past expiry', () => ({ expiresAt: Math.floor(Date.now() / 1_000) - 600 })],
    ['an unverified address', () => ({ email_verified: false })],
    ['an address verified in words only', () => ({ email_verified: 'true' })],
    ['no address', () => ({ email: undefined })],
  ])('refuses a token with %s', async (_what, claims) => {
    expect(await outcome(enter(await tokenOf(await claims())))).toBe('INVALID_TOKEN');
  });

  test('refuses what is no token', async () => {
    expect(await outcome(enter('nonsense'))).toBe('INVALID_TOKEN');
  });

  test('is unavailable while it is not set up, or its keys cannot be had', async () => {
    const off = createSignOnProvider({ clientId: undefined, jwksUrl, issuer: ISSUER });
    expect(await outcome(off.verify(await tokenOf()))).toBe('SERVICE_UNAVAILABLE');
    const lost = 'http://127.0.0.1:1/keys';
    const unreachable = createSignOnProvider({ clientId: AUDIENCE, jwksUrl: lost, issuer: ISSUER });
    expect(await outcome(unreachable.verify(await tokenOf()))).toBe('SERVICE_UNAVAILABLE');
  });

  test('opens no new account while registration is closed, except to the invited', async () => {
    const closed = { ...it.deps, config: { ...it.deps.config, allowRegistration: false } };
    const enterClosed = async (email: string) =>
      outcome(signOn(closed, { provider: 'google', token: await tokenOf({ email }) }));
    expect(await enterClosed('stranger@example.com')).toBe('FORBIDDEN');
    const owner = await it.newUser();
    const workspace = await it.newWorkspace(owner);
    await invite(it.deps, {
      workspace_id: workspace.id,
      email: 'guest@example.com',
      role: 'member',
      inviter_id: owner.id,
    });
    expect(await enterClosed('guest@example.com')).toBe('done');
    expect(await enterClosed(owner.email)).toBe('done');
  });
});
