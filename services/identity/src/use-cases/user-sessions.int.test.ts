import { unitOfWork } from '@laurel/mongo';
import {
  type IdentityUnderTest,
  identityUnderTest,
  outcome,
  PASSWORD,
} from '../testing/identity-under-test';
import { getMe } from './get-me';
import { getUser } from './get-user';
import { login } from './login';
import { refresh } from './refresh';
import { resolveSession } from './resolve';
import { updateUser } from './update-user';
import { endUserSession, endUserSessions, listUserSessions } from './user-sessions';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe("a user's own sessions", () => {
  let it: IdentityUnderTest;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  const idOf = (accessToken: string): string =>
    it.deps.tokens.verify('session_access', accessToken).sid!;
  const resolve = (session_id: string) => outcome(resolveSession(it.deps, { session_id }));

  test('are listed with device and last use, last used first, and not once they are over', async () => {
    const { id: user_id, email } = await it.newUser();
    const first = await login(it.deps, { email, password: PASSWORD, ip: 'a', device: 'Till 7' });
    it.clock.advanceMs(MINUTE_MS);
    const second = await it.signIn(email);
    it.clock.advanceMs(MINUTE_MS);
    await refresh(it.deps, first);
    const usedAt = it.clock.now().toISOString();
    const { sessions } = await listUserSessions(it.deps, { user_id });
    expect(sessions.map(({ id }) => id)).toEqual([
      idOf(first.access_token),
      idOf(second.access_token),
    ]);
    expect(sessions).toMatchObject([
      { device: 'Till 7', of_page: false, last_active_at: usedAt },
      { device: null },
    ]);
    it.clock.advanceMs(8 * DAY_MS);
    expect(await listUserSessions(it.deps, { user_id })).toEqual({ sessions: [] });
  });

  test('end one by one or all but one, at once, and no user ends those of another', async () => {
    const { id: user_id, email } = await it.newUser();
    const opened = await Promise.all([it.signIn(email), it.signIn(email), it.signIn(email)]);
    const [one, kept, other] = opened.map(({ access_token }) => idOf(access_token)) as [
      string,
      string,
      string,
    ];
    expect(await resolve(one)).not.toBe('INVALID_TOKEN');
    const stranger = await it.newUser();
    const theirs = { user_id: stranger.id, session_id: one };
    expect(await outcome(endUserSession(it.deps, theirs))).toBe('RECORD_NOT_FOUND');
    expect(await resolve(one)).not.toBe('INVALID_TOKEN');
    const own = { user_id, session_id: one };
    const both = await Promise.all([1, 2].map(() => outcome(endUserSession(it.deps, own))));
    expect(both.filter((each) => each === 'RECORD_NOT_FOUND')).toHaveLength(1);
    expect(await resolve(one)).toBe('INVALID_TOKEN');
    expect(await endUserSessions(it.deps, { user_id, keep_session_id: kept })).toEqual({
      ended: 1,
    });
    expect(await resolve(other)).toBe('INVALID_TOKEN');
    expect(await resolve(kept)).not.toBe('INVALID_TOKEN');
  });

  test('that have ended by themselves and are known still are neither listed nor ended nor counted, and open nothing', async () => {
    const { id: user_id, email } = await it.newUser();
    const over = await it.signIn(email);
    const session_id = idOf(over.access_token);
    it.clock.advanceMs(7 * DAY_MS);
    await it.expire();
    const live = await it.signIn(email);
    const { sessions } = await listUserSessions(it.deps, { user_id });
    expect(sessions.map(({ id }) => id)).toEqual([idOf(live.access_token)]);
    expect(await outcome(endUserSession(it.deps, { user_id, session_id }))).toBe(
      'RECORD_NOT_FOUND',
    );
    expect(await resolve(session_id)).toBe('INVALID_TOKEN');
    expect(await it.deps.sessions.liveIds(user_id, it.clock.now())).toEqual([
      idOf(live.access_token),
    ]);
    const renewed = unitOfWork(it.deps.connection, (session) => {
      const now = it.clock.now();
      const expiresAt = new Date(now.getTime() + DAY_MS);
      return it.deps.sessions.extend(session_id, { now, expiresAt }, session);
    });
    expect(await renewed).toBe(false);
    expect(await endUserSessions(it.deps, { user_id })).toEqual({ ended: 1 });
  });

  test('preferences are kept with the account, and those left out of a change stay', async () => {
    const { id: user_id } = await it.newUser();
    await updateUser(it.deps, { user_id, ip: 'a', preferences: { language: 'de', theme: 'dark' } });
    const user = await updateUser(it.deps, { user_id, ip: 'a', preferences: { theme: null } });
    expect(user.preferences).toEqual({ language: 'de', theme: null, density: null });
  });

  test('preferences that are stated at once are all kept', async () => {
    const { id: user_id } = await it.newUser();
    const stated = [{ language: 'pl' }, { theme: 'dark' }, { density: 'compact' }];
    await Promise.all(
      stated.map((preferences) => updateUser(it.deps, { user_id, ip: 'a', preferences })),
    );
    expect((await getUser(it.deps, { user_id })).preferences).toEqual({
      language: 'pl',
      theme: 'dark',
      density: 'compact',
    });
  });

  test('a name is changed whatever becomes of the password meanwhile', async () => {
    const { id: user_id } = await it.newUser();
    const { users, connection } = it.deps;
    const find: typeof users.find = async (id, session) => {
      const found = await users.find(id, session);
      await unitOfWork(connection, (own) => users.update(id, { password_hash: 'another' }, own));
      return found;
    };
    const racing = { ...it.deps, users: { ...users, find } };
    const { first_name } = await updateUser(racing, { user_id, ip: 'a', first_name: 'Ada' });
    expect(first_name).toBe('Ada');
  });

  test('what a page starts with is of the workspace that is asked for, and refused once it is gone', async () => {
    const owner = await it.newUser();
    const workspace = await it.newWorkspace(owner);
    const request = { workspace_id: workspace.id, user_id: owner.id };
    expect(await getMe(it.deps, request)).toMatchObject({
      user: { id: owner.id },
      workspace: { id: workspace.id, timezone: 'UTC' },
      portal_enabled: false,
    });
    const gone = { ...request, workspace_id: owner.id };
    expect(await outcome(getMe(it.deps, gone))).toBe('FORBIDDEN');
  });
});
