import { digestToken } from '@laurel/auth-cache';
import {
  type IdentityUnderTest,
  identityUnderTest,
  outcome,
  PASSWORD,
} from '../testing/identity-under-test';
import { createMobileUser } from './create-mobile-user';
import { getAuthOptions } from './get-auth-options';
import { openPageSession } from './login';
import { pairMobilePage } from './pair-mobile';
import { refresh, refreshPageSession } from './refresh';
import { refreshMobile, refreshMobilePage } from './refresh-mobile';
import { resolveSession } from './resolve';
import { sendPairingCode } from './send-pairing-code';

const FORGIVEN_MS = 10_000;

describe('sessions of pages', () => {
  let it: IdentityUnderTest;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  async function newSession(): Promise<string> {
    const { email } = await it.newUser();
    const opened = await openPageSession(it.deps, { email, password: PASSWORD, ip: '192.0.2.1' });
    expect(opened.user!.email).toBe(email);
    return opened.tokens!.refresh_token;
  }
  const next = async (refresh_token: string): Promise<string> =>
    (await refreshPageSession(it.deps, { refresh_token })).tokens!.refresh_token;

  test('answer the same successor to a token that comes again within ten seconds', async () => {
    const first = await newSession();
    const second = await next(first);
    it.clock.advanceMs(FORGIVEN_MS);
    expect(await next(first)).toBe(second);
    const { tokens } = await refreshPageSession(it.deps, { refresh_token: second });
    const { sid } = it.deps.tokens.verify('session_access', tokens!.access_token);
    expect(await outcome(resolveSession(it.deps, { session_id: sid! }))).toBe('done');
  });

  test('that two tabs renew at once go on as one', async () => {
    const first = await newSession();
    const successors = await Promise.all([1, 2, 3, 4].map(() => next(first)));
    expect(new Set(successors).size).toBe(1);
    expect(successors[0]).not.toBe(first);
  });

  test('never put a token into a cookie that another tab has used by then', async () => {
    const first = await newSession();
    const third = await next(await next(first));
    // The answer to a lost request of the first arrives after the second was used, too.
    expect(await next(first)).toBe(third);
    it.clock.advanceMs(FORGIVEN_MS + 1);
    expect(await outcome(next(third))).toBe('done');
  });

  test('end as a family when a used token comes after ten seconds', async () => {
    const first = await newSession();
    const second = await next(first);
    it.clock.advanceMs(FORGIVEN_MS + 1);
    expect(await outcome(next(first))).toBe('INVALID_TOKEN');
    expect(await outcome(next(second))).toBe('INVALID_TOKEN');
  });

  test('take no token of a program, and programs take none of theirs', async () => {
    const user = await it.newUser();
    const { refresh_token } = await it.signIn(user.email);
    expect(await outcome(refreshPageSession(it.deps, { refresh_token }))).toBe('INVALID_TOKEN');
    expect(await outcome(refresh(it.deps, { refresh_token }))).toBe('done');
    const ofPage = await newSession();
    expect(await outcome(refresh(it.deps, { refresh_token: ofPage }))).toBe('INVALID_TOKEN');
    expect(await outcome(next(ofPage))).toBe('done');
  });

  test('store nothing that a token could be made of', async () => {
    const first = await newSession();
    const second = await next(first);
    const rows = await it.deps.connection.collection('refresh_tokens').find({}).toArray();
    const text = JSON.stringify(rows);
    expect(text).toContain(digestToken(second));
    expect(text).not.toContain(first);
    expect(text).not.toContain(second);
  });

  test('of tills are forgiven in the same way, and are no good to a program', async () => {
    const owner = await it.newUser();
    const workspace = await it.newWorkspace(owner);
    const email = `till-${owner.id}@example.com`;
    const user = await createMobileUser(it.deps, { workspace_id: workspace.id, email });
    const { code } = await sendPairingCode(it.deps, {
      workspace_id: workspace.id,
      id: user.id,
      delivery_method: 'none',
    });
    const pairing = { identifier: email, code: code!, ip: '192.0.2.1' };
    const { tokens, refresh_seconds } = await pairMobilePage(it.deps, pairing);
    expect(refresh_seconds).toBe(30 * 86_400);
    const renew = async (refresh_token: string) =>
      (await refreshMobilePage(it.deps, { refresh_token })).tokens!.refresh_token;
    const first = tokens!.refresh_token;
    const second = await renew(first);
    expect(await renew(first)).toBe(second);
    expect(await outcome(refreshMobile(it.deps, { refresh_token: second }))).toBe('INVALID_TOKEN');
    it.clock.advanceMs(FORGIVEN_MS + 1);
    expect(await outcome(renew(first))).toBe('INVALID_TOKEN');
    expect(await outcome(renew(second))).toBe('INVALID_TOKEN');
  });
});

describe('what a sign-in page may offer', () => {
  test('is registration where it is open, and news of a first account that is not entered yet', async () => {
    const it = await identityUnderTest();
    try {
      expect(await getAuthOptions(it.deps)).toEqual({
        registration: 'open',
        sso: [],
        bootstrap_pending: false,
      });
      const { deps } = it;
      const bootstrapAdminEmail = 'first@example.com';
      const config = { ...deps.config, allowRegistration: false, bootstrapAdminEmail };
      const google = { ...deps.google, isOn: true };
      const options = () => getAuthOptions({ ...deps, config, google });
      expect(await options()).toEqual({
        registration: 'invited',
        sso: ['google'],
        bootstrap_pending: true,
      });
      await it.newUser();
      expect((await options()).bootstrap_pending).toBe(false);
    } finally {
      await it.stop();
    }
  });
});
