import { authKeys, readAuth } from '@laurel/auth-cache';
import { type CloudEvent, listenerFor } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import type { identity } from '@laurel/rpc';
import { underOneKey } from '@laurel/testing';
import { consumers } from '../consumers';
import type { Deps } from '../deps';
import { rolesOf } from '../domain/roles';
import { createFailureLimit } from '../outside/failure-limit';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { addMember } from './add-member';
import { createMobileUser, createMobileUserFromMember } from './create-mobile-user';
import { deleteMobileUser } from './delete-mobile-user';
import { deleteWorkspace } from './delete-workspace';
import { pairMobile } from './pair-mobile';
import { putMobileAppAccess } from './put-mobile-app-access';
import { getMobileUser, listMobileUsers } from './read-mobile-users';
import { refreshMobile } from './refresh-mobile';
import { removeMember } from './remove-member';
import { removeWorkspaceData } from './remove-workspace-data';
import { resolveMobileSession } from './resolve-mobile-session';
import { revokeMobileSession } from './revoke-mobile-session';
import { sendPairingCode } from './send-pairing-code';
import { updateMobileUser } from './update-mobile-user';

const MINUTE_MS = 60_000;

describe('the staff app', () => {
  let it: IdentityUnderTest;
  let owner: identity.User;
  let workspace: identity.Workspace;
  let user: identity.MobileUser;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());
  beforeEach(async () => {
    owner = await it.newUser();
    workspace = await it.newWorkspace(owner);
    user = await createMobileUser(it.deps, {
      workspace_id: workspace.id,
      email: 'staff@example.com',
    });
  });

  test('takes a member once, and who repeats that gets the first answer again', async () => {
    const member = await it.newUser();
    const { id: workspace_id } = await it.newWorkspace(member);
    const make = () => createMobileUserFromMember(it.deps, { workspace_id, user_id: member.id });
    const linked = underOneKey(make);
    expect(await linked()).toEqual(await linked());
    await expect(make()).rejects.toMatchObject({ httpStatus: 409 });
  });

  const newCode = async () =>
    (
      await sendPairingCode(it.deps, {
        workspace_id: workspace.id,
        id: user.id,
        delivery_method: 'none',
      })
    ).code!;
  const pair = (code: string) =>
    pairMobile(it.deps, { identifier: user.email!, code, ip: '192.0.2.1' });
  const sessionOf = ({ access_token }: identity.MobileTokens) =>
    it.deps.tokens.verify('mobile_access', access_token).sid!;
  const resolve = (tokens: identity.MobileTokens) =>
    resolveMobileSession(it.deps, { session_id: sessionOf(tokens) });
  const put = (state: Partial<identity.MobileAppAccess>) =>
    putMobileAppAccess(it.deps, {
      workspace_id: workspace.id,
      is_enabled: true,
      changed_at: it.clock.now().toISOString(),
      ...state,
    });

  test('takes a code for ten minutes', async () => {
    const code = await newCode();
    it.clock.advanceMs(10 * MINUTE_MS);
    expect(await outcome(pair(code))).toBe('INVALID_CREDENTIALS');
    expect(await outcome(pair(await newCode()))).toBe('done');
  });

  test('uses no code up while the app is switched off', async () => {
    const code = await newCode();
    await put({ is_enabled: false });
    // As often as a code may be tried that is wrong.
    for (let tries = 0; tries < 5; tries += 1)
      expect(await outcome(pair(code))).toBe('INVALID_CREDENTIALS');
    it.clock.advanceMs(1_000);
    await put({ is_enabled: true });
    expect(await outcome(pair(code))).toBe('done');
    expect(await outcome(pair(code))).toBe('INVALID_CREDENTIALS');
  });

  test('of a workspace that was deleted is forbidden to all who have a token of it, before and after its sessions are gone', async () => {
    const tokens = await pair(await newCode());
    const session_id = sessionOf(tokens);
    const workspace_id = workspace.id;
    const refresh = () => outcome(refreshMobile(it.deps, tokens));
    const ask = () => outcome(resolveMobileSession(it.deps, { session_id, workspace_id }));
    expect(await ask()).toBe('done');
    await deleteWorkspace(it.deps, {
      workspace_id,
      user_id: owner.id,
      confirm_slug: workspace.slug,
    });
    expect(await ask()).toBe('FORBIDDEN');
    expect(await refresh()).toBe('FORBIDDEN');
    await removeWorkspaceData(it.deps, workspace_id);
    expect(await ask()).toBe('FORBIDDEN');
    expect(await outcome(resolveMobileSession(it.deps, { session_id }))).toBe('INVALID_TOKEN');
  });

  test.each([
    ['had no code', 0],
    ['had theirs before', 1],
  ])(
    'pairs who has a code though more app users of the address than are compared %s',
    async (_, codes) => {
      const email = `crowd-${codes}@example.com`;
      const crowd = Array.from({ length: 120 }, () => ({
        _id: newId(),
        workspace_id: newId(),
        email,
        email_key: email,
        phone: null,
        codes_made_at: Array.from({ length: codes }, () => it.clock.now()),
        metadata: {},
        status: 'pending',
        created_at: it.clock.now(),
      }));
      await it.deps.connection.collection<{ _id: string }>('mobile_users').insertMany(crowd);
      it.clock.advanceMs(1_000);
      const of = { workspace_id: workspace.id };
      const { id } = await createMobileUser(it.deps, { ...of, email });
      const asked = { ...of, id, delivery_method: 'none' };
      const { code } = await sendPairingCode(it.deps, asked);
      const paired = pairMobile(it.deps, { identifier: email, code: code!, ip: '192.0.2.1' });
      expect(await outcome(paired)).toBe('done');
    },
  );

  test('lets a code die of five wrong tries, one by one or all at once', async () => {
    const code = await newCode();
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let tries = 0; tries < 4; tries += 1) await outcome(pair(wrong));
    expect(await outcome(pair(code))).toBe('done');
    const next = await newCode();
    const other = String((Number(next) + 1) % 1_000_000).padStart(6, '0');
    await Promise.all(Array.from({ length: 5 }, () => outcome(pair(other))));
    expect(await outcome(pair(next))).toBe('INVALID_CREDENTIALS');
  });

  test('compares no more codes for an address than it may fail with in a minute, also of those that come at once', async () => {
    const limited = {
      ...it.deps,
      pairFailures: createFailureLimit(it.redis, `at-once:${newId()}`, 2),
    };
    const tryOf = (identifier: string, code: string) =>
      outcome(pairMobile(limited, { identifier, code, ip: '192.0.2.1' }));
    for (let time = 0; time < 3; time += 1)
      expect(await tryOf(user.email!, await newCode())).toBe('done');
    const code = await newCode();
    const wrong = Array.from({ length: 2 }, () => tryOf('stranger@example.com', '000000'));
    expect(await Promise.all([...wrong, tryOf(user.email!, code)])).toEqual([
      ...wrong.map(() => 'INVALID_CREDENTIALS'),
      'RATE_LIMITED',
    ]);
  });

  test('takes no code from before an address or number of its user became another one', async () => {
    const phone = '+436641234567';
    const change = (fields: Partial<identity.UpdateMobileUserRequest>) =>
      updateMobileUser(it.deps, { workspace_id: workspace.id, id: user.id, ...fields });
    const pairByPhone = async (code: string) =>
      outcome(pairMobile(it.deps, { identifier: phone, code, ip: '192.0.2.1' }));
    await change({ phone });
    const code = await newCode();
    await change({ email: `other-${user.id}@example.com` });
    expect(await pairByPhone(code)).toBe('INVALID_CREDENTIALS');
    const next = await newCode();
    await change({ first_name: 'Ann', phone });
    expect(await pairByPhone(next)).toBe('done');
  });

  describe('knows a number however it is dialled', () => {
    const written = ['+49 151 23456789', '0049 151 23456789', '+4915123456789'];
    const of = () => ({ workspace_id: workspace.id });
    const rows = () => it.deps.connection.collection<{ _id: string }>('mobile_users');
    const pairBy = async (identifier: string, id: string) => {
      const asked = { ...of(), id, delivery_method: 'none' };
      const { code } = await sendPairingCode(it.deps, asked);
      return outcome(pairMobile(it.deps, { identifier, code: code!, ip: '192.0.2.1' }));
    };
    /** An app user of the number as one was stored while `00` was not read as `+`. */
    const earlier = async (phone = written[1]!) => {
      const made = await createMobileUser(it.deps, { ...of(), phone });
      const phone_key = phone.replace(/\D/g, '');
      await rows().updateOne({ _id: made.id }, { $set: { phone_key } });
      return made;
    };
    const keyOf = async (id: string) => {
      const row = await rows().findOne({ _id: id });
      return (row as unknown as { phone_key?: string }).phone_key;
    };

    test.each(written)('to pair who was noted by %s', async (phone) => {
      const { id } = await createMobileUser(it.deps, { ...of(), phone });
      for (const identifier of written) expect(await pairBy(identifier, id)).toBe('done');
    });

    test('to refuse a second app user of it', async () => {
      await createMobileUser(it.deps, { ...of(), phone: written[0]! });
      for (const phone of written) {
        const again = createMobileUser(it.deps, { ...of(), phone });
        await expect(again).rejects.toMatchObject({ problems: [{ field: 'phone' }] });
      }
    });

    test('also where its app user is from before both were the same', async () => {
      const { id } = await earlier();
      for (const identifier of written) expect(await pairBy(identifier, id)).toBe('done');
      const again = createMobileUser(it.deps, { ...of(), phone: written[0]! });
      await expect(again).rejects.toMatchObject({ problems: [{ field: 'phone' }] });
      const taken = updateMobileUser(it.deps, { ...of(), id: user.id, phone: written[0]! });
      await expect(taken).rejects.toMatchObject({ problems: [{ field: 'phone' }] });
      await updateMobileUser(it.deps, { ...of(), id, phone: written[0]! });
      expect(await keyOf(id)).toBe('+4915123456789');
    });

    test('and with a zero in brackets as it was noted by', async () => {
      const phone = '0049 (0)151 23456789';
      const { id } = await earlier(phone);
      expect(await pairBy(phone, id)).toBe('done');
      const again = createMobileUser(it.deps, { ...of(), phone });
      await expect(again).rejects.toMatchObject({ problems: [{ field: 'phone' }] });
    });

    test('and lets both be changed where two of before have it', async () => {
      const one = await earlier();
      const fields = { ...of(), phone: '+49 151 11111111' };
      const two = await createMobileUser(it.deps, fields);
      const both = { phone: written[0]!, phone_key: '+4915123456789' };
      await rows().updateOne({ _id: two.id }, { $set: both });
      for (const { id } of [one, two]) {
        const change = { ...of(), id, status: 'suspended' };
        expect(await updateMobileUser(it.deps, change)).toMatchObject({ status: 'suspended' });
      }
      expect(await keyOf(one.id)).toBe('004915123456789');
    });
  });

  test('gives codes again an hour after the first of five', async () => {
    for (let count = 0; count < 5; count += 1) {
      await newCode();
      it.clock.advanceMs(MINUTE_MS);
    }
    expect(await outcome(newCode())).toBe('RATE_LIMITED');
    it.clock.advanceMs(55 * MINUTE_MS);
    expect(await outcome(newCode())).toBe('done');
    expect(await outcome(newCode())).toBe('RATE_LIMITED');
  });

  test('never gives more than five codes to many who ask at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => outcome(newCode())));
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(5);
  });

  test('mails five codes an hour to one address, however often its app user is made anew', async () => {
    const email = 'bombed@example.com';
    const replies = [];
    for (let time = 0; time < 6; time += 1) {
      const made = await createMobileUser(it.deps, { workspace_id: workspace.id, email });
      const named = { workspace_id: workspace.id, id: made.id };
      replies.push(await outcome(sendPairingCode(it.deps, { ...named, delivery_method: 'email' })));
      await deleteMobileUser(it.deps, named);
    }
    expect(replies).toEqual([...Array(5).fill('done'), 'RATE_LIMITED']);
  });

  test('lets no device in that was paired while its user, member or app was put out', async () => {
    const member = await it.newUser();
    const of = { workspace_id: workspace.id, user_id: member.id };
    const ways: Record<string, (deps: Deps) => Promise<unknown>> = {
      suspended: (deps) =>
        updateMobileUser(deps, { workspace_id: workspace.id, id: user.id, status: 'suspended' }),
      deleted: (deps) => deleteMobileUser(deps, { workspace_id: workspace.id, id: user.id }),
      'switched off': (deps) => {
        const changed_at = it.clock.now().toISOString();
        return putMobileAppAccess(deps, { ...of, is_enabled: false, changed_at });
      },
      removed: (deps) => removeMember(deps, { ...of, caller_id: owner.id }),
    };
    const { cache } = it.deps;
    await addMember(it.deps, { ...of, role: 'member' });
    const own = user;
    const linked = await createMobileUserFromMember(it.deps, of);
    for (const [way, putOut] of Object.entries(ways).reverse()) {
      user = way === 'removed' ? linked : own;
      const code = await newCode();
      const paired: string[] = [];
      const revoke: typeof cache.revoke = async (keys, commit) => {
        if (paired.length === 0) {
          const tokens = await pair(code);
          await resolve(tokens);
          paired.push(authKeys.mobile(sessionOf(tokens)));
        }
        return cache.revoke(keys, commit);
      };
      await putOut({ ...it.deps, cache: { ...cache, revoke } });
      expect([way, await readAuth(it.redis, paired)]).toEqual([way, [null]]);
      it.clock.advanceMs(1_000);
      await put({ is_enabled: true });
      if (way === 'deleted')
        own.id = (await createMobileUser(it.deps, { ...of, email: own.email! })).id;
    }
  });

  test('keeps no code in clear', async () => {
    const code = await newCode();
    const rows = await it.deps.connection.collection('pairing_codes').find({}).toArray();
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
  });

  test('pairs, refreshes and admits no staff while it is switched off, and all again after', async () => {
    const tokens = await pair(await newCode());
    expect(await resolve(tokens)).toMatchObject({ app_enabled: true, role: 'member' });
    it.clock.advanceMs(1_000);
    await put({ is_enabled: false });
    expect(await readAuth(it.redis, [authKeys.mobile(sessionOf(tokens))])).toEqual([null]);
    expect(await resolve(tokens)).toMatchObject({ app_enabled: false });
    expect(await outcome(refreshMobile(it.deps, tokens))).toBe('INVALID_TOKEN');
    expect(await outcome(pair(await newCode()))).toBe('INVALID_CREDENTIALS');
    it.clock.advanceMs(1_000);
    await put({ is_enabled: true });
    expect(await outcome(refreshMobile(it.deps, tokens))).toBe('done');
  });

  test('says to a device why it may not go on, and takes the same token where that is over', async () => {
    let tokens = await pair(await newCode());
    const why = () =>
      refreshMobile(it.deps, tokens).then(
        () => 'it goes on',
        ({ code, problems }) => [code, problems[0].extensions?.reason],
      );
    const { id } = user;
    const turn = (status: string) =>
      updateMobileUser(it.deps, { workspace_id: workspace.id, id, status });
    it.clock.advanceMs(1_000);
    await put({ is_enabled: false });
    expect(await why()).toEqual(['INVALID_TOKEN', 'app_switched_off']);
    it.clock.advanceMs(1_000);
    await put({ is_enabled: true });
    await turn('suspended');
    expect(await why()).toEqual(['INVALID_TOKEN', 'app_user_barred']);
    await turn('active');
    tokens = await refreshMobile(it.deps, tokens);
    const session_id = sessionOf(tokens);
    const named = { workspace_id: workspace.id, mobile_user_id: id, session_id };
    await revokeMobileSession(it.deps, named);
    expect(await why()).toEqual(['INVALID_TOKEN', 'device_signed_out']);
    await deleteMobileUser(it.deps, { workspace_id: workspace.id, id });
    expect(await why()).toEqual(['INVALID_TOKEN', undefined]);
  });

  test('says when somebody was there last, also once their device is signed out, and makes no other version of them by it', async () => {
    const tokens = await pair(await newCode());
    const session_id = sessionOf(tokens);
    const own = { workspace_id: workspace.id, id: user.id };
    const pairedAt = it.clock.now().toISOString();
    const { etag } = await getMobileUser(it.deps, own);
    it.clock.advanceMs(MINUTE_MS / 2);
    await resolveMobileSession(it.deps, { session_id });
    expect(await getMobileUser(it.deps, own)).toMatchObject({ last_login: pairedAt });
    it.clock.advanceMs(40 * MINUTE_MS);
    await resolveMobileSession(it.deps, { session_id });
    const last_login = it.clock.now().toISOString();
    const seen = { paired_at: pairedAt, last_login, etag };
    expect(await getMobileUser(it.deps, own)).toMatchObject(seen);
    it.clock.advanceMs(MINUTE_MS);
    const device = { workspace_id: workspace.id, mobile_user_id: user.id, session_id };
    await revokeMobileSession(it.deps, device);
    const { data } = await listMobileUsers(it.deps, { ...own, limit: 10, offset: 0 });
    expect(data).toMatchObject([{ paired_at: pairedAt, last_login }]);
  });

  test('tells whether the role may use it', async () => {
    const tokens = await pair(await newCode());
    const [admin, member] = rolesOf(workspace.id);
    await put({ allowed_role_ids: [admin!.id] });
    expect(await resolve(tokens)).toMatchObject({ role_allowed: false });
    it.clock.advanceMs(1_000);
    await put({ allowed_role_ids: [member!.id] });
    expect(await resolve(tokens)).toMatchObject({ role_allowed: true });
  });

  test('hears of its config by events, in any order', async () => {
    const tokens = await pair(await newCode());
    const consumer = consumers(it.deps).find(({ queue }) => queue === 'identity.mobile-app-access');
    const hear = (type: string, data: object) =>
      listenerFor(consumer!, type)!(
        { type, workspaceid: workspace.id, data } as CloudEvent,
        async () => undefined,
      );
    const at = (second: number) => new Date(Date.UTC(2031, 0, 1, 0, 0, second)).toISOString();
    const updated = (is_enabled: boolean, second: number) =>
      hear('passes.mobile_app_config_updated', {
        workspace_id: workspace.id,
        is_enabled,
        allowed_role_ids: null,
        changed_at: at(second),
      });
    await updated(false, 2);
    await updated(true, 1);
    expect((await resolve(tokens)).app_enabled).toBe(false);
    await hear('passes.mobile_app_config_deleted', {
      workspace_id: workspace.id,
      changed_at: at(3),
    });
    expect((await resolve(tokens)).app_enabled).toBe(true);
  });
});
