import { digestToken } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { addMember } from './add-member';
import { createNamedToken, revokeNamedToken } from './named-tokens';
import { confirmDownload, openDownload, takeDownload } from './open-download';
import { removeMember } from './remove-member';
import { endUserSessions } from './user-sessions';

describe('an address for a file', () => {
  let it: IdentityUnderTest;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  async function opened() {
    const owner = await it.newUser();
    const { id: workspace_id } = await it.newWorkspace(owner);
    const asked = { kind: 'customers', params: { search: '$a.b' } };
    const open = (user_id = owner.id) => openDownload(it.deps, { workspace_id, user_id, ...asked });
    return { owner, workspace_id, asked, open };
  }

  test('is good once, however many come with it at once', async () => {
    const { owner, workspace_id, asked, open } = await opened();
    const { token, expires_at } = await open();
    expect(Date.parse(expires_at) - it.clock.now().getTime()).toBe(60_000);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => takeDownload(it.deps, { token }).catch(() => null)),
    );
    expect(outcomes.filter((each) => each !== null)).toMatchObject([
      { workspace_id, user_id: owner.id, ...asked },
    ]);
    expect(await outcome(takeDownload(it.deps, { token }))).toBe('RECORD_NOT_FOUND');
  });

  test('is good for a minute', async () => {
    const { open } = await opened();
    const { token } = await open();
    it.clock.advanceMs(60_000);
    expect(await outcome(takeDownload(it.deps, { token }))).toBe('RECORD_NOT_FOUND');
  });

  test('ends with the membership of who asked for it, and is kept as a digest only', async () => {
    const { workspace_id, open } = await opened();
    const { token } = await open((await it.newUser()).id);
    expect(await outcome(takeDownload(it.deps, { token }))).toBe('RECORD_NOT_FOUND');
    const rows = it.deps.connection.collection<{ _id: string; workspace_id: string }>('downloads');
    const { token: kept } = await open();
    const [row] = await rows.find({ workspace_id }).toArray();
    expect(JSON.stringify(row)).not.toContain(kept);
  });

  describe('whose file is being written', () => {
    const DAY_MS = 86_400_000;
    const asksOn = (taken: identity.Download) => outcome(confirmDownload(it.deps, taken));

    async function signedIn() {
      const { owner, workspace_id, asked } = await opened();
      const { access_token } = await it.signIn(owner.email);
      const session_id = it.deps.tokens.verify('session_access', access_token).sid!;
      const take = async (carrier: { session_id?: string; token_sha256?: string }) => {
        const by = { workspace_id, user_id: owner.id, ...carrier };
        const { token } = await openDownload(it.deps, { ...by, ...asked });
        return takeDownload(it.deps, { token });
      };
      return { owner, session_id, take };
    }

    test('may have the rest of it until their session is ended, not until that merely ends', async () => {
      const { session_id, take } = await signedIn();
      const taken = await take({ session_id });
      it.clock.advanceMs(400 * DAY_MS);
      expect(await it.deps.sessions.findLive(session_id, it.clock.now())).toBeNull();
      expect(await asksOn(taken)).toBe('done');
      await it.deps.sessions.revoke(session_id, it.clock.now());
      expect(await asksOn(taken)).toBe('RECORD_NOT_FOUND');
    });

    test('may have the rest of it for a day after their session has merely ended, which is kept for so long', async () => {
      const { session_id, take } = await signedIn();
      it.clock.advanceMs(7 * DAY_MS - 1);
      const taken = await take({ session_id });
      it.clock.advanceMs(DAY_MS);
      await it.expire();
      expect(await it.deps.sessions.findLive(session_id, it.clock.now())).toBeNull();
      expect(await asksOn(taken)).toBe('done');
      it.clock.advanceMs(2);
      await it.expire();
      expect(await asksOn(taken)).toBe('RECORD_NOT_FOUND');
    });

    test('may have no more of it once they end all of their sessions, though that one has ended by itself', async () => {
      const { owner, session_id, take } = await signedIn();
      it.clock.advanceMs(7 * DAY_MS - 1);
      const taken = await take({ session_id });
      it.clock.advanceMs(DAY_MS / 2);
      await endUserSessions(it.deps, { user_id: owner.id });
      expect(await asksOn(taken)).toBe('RECORD_NOT_FOUND');
    });

    test('may have the rest of it until their named token is revoked, not until that merely ends', async () => {
      const { owner, session_id, take } = await signedIn();
      const caller = { user_id: owner.id, session_id };
      const expires_at = new Date(it.clock.now().getTime() + DAY_MS).toISOString();
      const asked = { caller, name: 'CI', scope: 'read', expires_at };
      const { token, row } = await createNamedToken(it.deps, asked);
      const taken = await take({ token_sha256: digestToken(token) });
      it.clock.advanceMs(2 * DAY_MS);
      expect(await asksOn(taken)).toBe('done');
      await revokeNamedToken(it.deps, { user_id: owner.id, token_id: row!.id });
      expect(await asksOn(taken)).toBe('RECORD_NOT_FOUND');
    });

    test('may have the rest of it until they are put out of the workspace', async () => {
      const { owner, workspace_id, open } = await opened();
      const { id: user_id } = await it.newUser();
      await addMember(it.deps, { workspace_id, user_id, role: 'member' });
      const { token } = await open(user_id);
      const taken = await takeDownload(it.deps, { token });
      expect(await asksOn(taken)).toBe('done');
      await removeMember(it.deps, { workspace_id, user_id, caller_id: owner.id });
      expect(await asksOn(taken)).toBe('RECORD_NOT_FOUND');
    });
  });
});
