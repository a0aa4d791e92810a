import { authKeys, digestToken, readAuth } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import {
  type IdentityUnderTest,
  identityUnderTest,
  outcome,
  PASSWORD,
} from '../testing/identity-under-test';
import { deleteWorkspace } from './delete-workspace';
import { createNamedToken, listNamedTokens, revokeNamedToken } from './named-tokens';
import { regenerateApiToken } from './regenerate-api-token';
import { removeWorkspaceData } from './remove-workspace-data';
import { requestPasswordReset } from './request-password-reset';
import { resetPassword } from './reset-password';
import { resolveApiToken, resolveNamedToken } from './resolve';
import { updateUser } from './update-user';

const MINUTE_MS = 60_000;

describe('named tokens', () => {
  let it: IdentityUnderTest;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  async function signedIn(): Promise<{ user: identity.User; caller: identity.CallerRequest }> {
    const user = await it.newUser();
    const { access_token } = await it.signIn(user.email);
    const session_id = it.deps.tokens.verify('session_access', access_token).sid!;
    return { user, caller: { user_id: user.id, session_id } };
  }
  const make = (
    caller: identity.CallerRequest,
    given: Partial<identity.CreateNamedTokenRequest> = {},
  ) => createNamedToken(it.deps, { caller, name: 'CI', scope: 'read', ...given });
  const resolve = (token: string) =>
    resolveNamedToken(it.deps, { token_sha256: digestToken(token) });
  const listOf = async (user_id: string) => (await listNamedTokens(it.deps, { user_id })).tokens;

  test('are several of one user, each with its own scope, listed newest first and without the token', async () => {
    const { user, caller } = await signedIn();
    const first = await make(caller, { name: 'Till', scope: 'operate' });
    it.clock.advanceMs(1_000);
    const second = await make(caller, { name: 'CI', scope: 'configure' });
    const tokens = await listOf(user.id);
    expect(tokens).toMatchObject([
      { id: second.row!.id, name: 'CI', scope: 'configure', last_used_at: null, expires_at: null },
      { id: first.row!.id, name: 'Till', scope: 'operate', workspace_id: null },
    ]);
    const rows = await it.deps.connection.collection('named_tokens').find({}).toArray();
    for (const { token } of [first, second]) {
      expect(token).toMatch(/^laurel_[0-9a-f]{64}$/);
      expect(JSON.stringify([rows, tokens])).not.toContain(token);
    }
    expect((await resolve(first.token)).grant).toEqual({
      token_id: first.row!.id,
      scope: 'operate',
    });
    expect((await resolve(second.token)).grant).toMatchObject({ scope: 'configure' });
  });

  test('are no API token without a name, nor is that one of them', async () => {
    const { user, caller } = await signedIn();
    const { token } = await make(caller, { scope: 'full' });
    const asFull = resolveApiToken(it.deps, { token_sha256: digestToken(token) });
    expect(await outcome(asFull)).toBe('INVALID_TOKEN');
    const known = await regenerateApiToken(it.deps, caller);
    expect(await outcome(resolve(known.token))).toBe('INVALID_TOKEN');
    expect(await listOf(user.id)).toHaveLength(1);
  });

  test('end with their revocation, cached or not, and no user revokes those of another', async () => {
    const { user, caller } = await signedIn();
    const other = await signedIn();
    const { token, row } = await make(caller);
    const named = { user_id: user.id, token_id: row!.id };
    await resolve(token);
    expect(await readAuth(it.redis, [authKeys.token(digestToken(token))])).not.toEqual([null]);
    const asOther = revokeNamedToken(it.deps, { ...named, user_id: other.user.id });
    expect(await outcome(asOther)).toBe('RECORD_NOT_FOUND');
    expect(await outcome(resolve(token))).toBe('done');
    await revokeNamedToken(it.deps, named);
    expect(await readAuth(it.redis, [authKeys.token(digestToken(token))])).toEqual([null]);
    expect(await outcome(resolve(token))).toBe('INVALID_TOKEN');
    expect(await outcome(revokeNamedToken(it.deps, named))).toBe('RECORD_NOT_FOUND');
  });

  test('end by themselves when they say so, and do not begin after their end', async () => {
    const { caller } = await signedIn();
    const at = (minutes: number) =>
      new Date(it.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
    const { token } = await make(caller, { expires_at: at(10) });
    expect((await resolve(token)).grant).toMatchObject({ expires_at: at(10) });
    it.clock.advanceMs(10 * MINUTE_MS);
    expect(await outcome(resolve(token))).toBe('TOKEN_EXPIRED');
    expect(await outcome(make(caller, { expires_at: at(0) }))).toBe('INVALID_PAYLOAD');
  });

  test('are good for what came before their end, also where it is looked at later, and are revoked for all of it', async () => {
    const { user, caller } = await signedIn();
    const at = (minutes: number) =>
      new Date(it.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
    const { token, row } = await make(caller, { expires_at: at(10) });
    const [before, after] = [at(9), at(10)];
    const resolveAt = (came_at: string) =>
      outcome(resolveNamedToken(it.deps, { token_sha256: digestToken(token), came_at }));
    it.clock.advanceMs(20 * MINUTE_MS);
    expect(await resolveAt(before)).toBe('done');
    expect(await resolveAt(after)).toBe('TOKEN_EXPIRED');
    await revokeNamedToken(it.deps, { user_id: user.id, token_id: row!.id });
    expect(await resolveAt(before)).toBe('INVALID_TOKEN');
  });

  test('say when they were last used, to the minute', async () => {
    const { user, caller } = await signedIn();
    const { token } = await make(caller);
    const firstAt = it.clock.now().toISOString();
    await resolve(token);
    it.clock.advanceMs(MINUTE_MS / 2);
    await resolve(token);
    expect(await listOf(user.id)).toMatchObject([{ last_used_at: firstAt }]);
    it.clock.advanceMs(MINUTE_MS);
    await resolve(token);
    const lastAt = it.clock.now().toISOString();
    expect(await listOf(user.id)).toMatchObject([{ last_used_at: lastAt }]);
  });

  test('are bound to workspaces of their user alone, and go with them', async () => {
    const { user, caller } = await signedIn();
    const stranger = await signedIn();
    const { id: workspace_id, slug } = await it.newWorkspace(user);
    expect(await outcome(make(stranger.caller, { workspace_id }))).toBe('FORBIDDEN');
    const { token } = await make(caller, { workspace_id });
    const free = await make(caller);
    expect((await resolve(token)).grant).toMatchObject({ workspace_id });
    await deleteWorkspace(it.deps, { workspace_id, user_id: user.id, confirm_slug: slug });
    await removeWorkspaceData(it.deps, workspace_id);
    expect((await listOf(user.id)).map(({ id }) => id)).toEqual([free.row!.id]);
  });

  test('are at most fifty of one user, however many are made at once', async () => {
    const { user, caller } = await signedIn();
    const rows = Array.from({ length: 48 }, (_, index) => ({
      user_id: user.id,
      name: 'CI',
      scope: 'read',
      bound_to: null,
      token_sha256: `${user.id}-${index}`,
      created_at: it.clock.now(),
      last_used_at: null,
      expires_at: null,
    }));
    await it.deps.connection.collection('named_tokens').insertMany(rows);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => outcome(make(caller))));
    expect(outcomes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'done', 'done']);
  });

  test('are not made by a session that has ended', async () => {
    const { user, caller } = await signedIn();
    const { row } = await make(caller);
    await it.deps.sessions.revoke(caller.session_id!, it.clock.now());
    expect(await outcome(make(caller))).toBe('INVALID_TOKEN');
    expect((await listOf(user.id)).map(({ id }) => id)).toEqual([row!.id]);
  });

  test('never show a name that their user no longer has', async () => {
    const { user, caller } = await signedIn();
    const { token } = await make(caller);
    await resolve(token);
    await updateUser(it.deps, { user_id: user.id, first_name: 'Ann', ip: 'a' });
    expect(await readAuth(it.redis, [authKeys.token(digestToken(token))])).toEqual([null]);
    expect(await resolve(token)).toMatchObject({ first_name: 'Ann' });
  });

  test('that an unproven password led to end with the next membership after a reset; others stay', async () => {
    const { user, caller } = await signedIn();
    const { token: planted } = await make(caller);
    await resetPassword(it.deps, { token: await resetLinkFor(user.email), password: PASSWORD });
    expect(await outcome(resolve(planted))).toBe('done');
    const { access_token } = await it.signIn(user.email);
    const session_id = it.deps.tokens.verify('session_access', access_token).sid!;
    const { token: own } = await make({ user_id: user.id, session_id });
    await it.newWorkspace(user);
    expect(await outcome(resolve(planted))).toBe('INVALID_TOKEN');
    await resetPassword(it.deps, { token: await resetLinkFor(user.email), password: PASSWORD });
    await it.newWorkspace(user);
    expect(await outcome(resolve(own))).toBe('done');
  });

  async function resetLinkFor(email: string): Promise<string> {
    await requestPasswordReset(it.deps, { email, ip: '192.0.2.1' });
    const mails = (await it.sent()).filter(
      ({ to, text }) => to === email && text.includes('reset'),
    );
    return /token=(\w+)/.exec(mails.at(-1)!.text)![1]!;
  }
});
