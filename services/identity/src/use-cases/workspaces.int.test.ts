import { authKeys, readAuth } from '@laurel/auth-cache';
import type { Once } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import { underOneKey } from '@laurel/testing';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { addMember } from './add-member';
import { changeMemberRole } from './change-member-role';
import { createMobileUser } from './create-mobile-user';
import { createWorkspace } from './create-workspace';
import { deleteWorkspace } from './delete-workspace';
import { invite, resendInvitation } from './invite';
import { listAuditLog } from './list-audit-log';
import { listInvitations } from './list-invitations';
import { putMobileAppAccess } from './put-mobile-app-access';
import { recordAudits } from './record-audits';
import { register } from './register';
import { removeMember } from './remove-member';
import { removeWorkspaceData } from './remove-workspace-data';
import { resolveMembership } from './resolve';
import { sendPairingCode } from './send-pairing-code';
import { tellOfDisabledWebhook } from './tell-of-disabled-webhook';

describe('workspaces', () => {
  let it: IdentityUnderTest;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  const record = (workspaceId: string, action = 'clients.create') => ({
    workspace_id: workspaceId,
    actor: { type: 'user', id: 'someone', email: 'someone@example.com' },
    action,
    entity: 'client',
    entity_id: 'a-client',
    request_id: 'a-request',
    changes: ['email'],
    values: [],
    at: it.clock.now().toISOString(),
  });
  const once: Once = (effect) => unitOfWork(it.deps.connection, effect);
  const remove = async (workspaceId: string, userId: string, slug: string) => {
    const request = { workspace_id: workspaceId, user_id: userId, confirm_slug: slug };
    await deleteWorkspace(it.deps, request);
    await removeWorkspaceData(it.deps, workspaceId);
  };

  test('of one name, opened at once, each get a slug of their own', async () => {
    const owner = await it.newUser();
    const opened = await Promise.all(Array.from({ length: 8 }, () => it.newWorkspace(owner)));
    expect(new Set(opened.map(({ slug }) => slug)).size).toBe(8);
  });

  test('for trying things in are ten of one person at most, however many are asked for at once', async () => {
    const owner = await it.newUser();
    const ask = () => createWorkspace(it.deps, { user_id: owner.id, name: 'Trial', sandbox: true });
    const asked = await Promise.allSettled(Array.from({ length: 14 }, ask));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(ask()).rejects.toMatchObject({
      httpStatus: 409,
      problems: [{ field: 'sandbox' }],
    });
    const config = { ...it.deps.config, sandboxesMax: 0 };
    const request = { user_id: (await it.newUser()).id, name: 'Trial', sandbox: true };
    await expect(createWorkspace({ ...it.deps, config }, request)).rejects.toMatchObject({
      httpStatus: 409,
    });
  });

  test('for trying things in that took the last room is what a repeat of its request hears of', async () => {
    const { id: user_id } = await it.newUser();
    const open = () => createWorkspace(it.deps, { user_id, name: 'Trial', sandbox: true });
    for (let before = 0; before < 9; before += 1) await open();
    const again = underOneKey(open);
    const { id } = await again();
    await expect(open()).rejects.toMatchObject({ httpStatus: 409 });
    expect(await again()).toMatchObject({ id });
  });

  test('that are deleted are closed to a member who came and went in at the last moment, too', async () => {
    const owner = await it.newUser();
    const late = await it.newUser();
    const { id: workspace_id, slug } = await it.newWorkspace(owner);
    const { cache } = it.deps;
    const revoke: typeof cache.revoke = async (keys, commit) => {
      if (await it.deps.workspaces.find(workspace_id)) {
        await addMember(it.deps, { workspace_id, user_id: late.id, role: 'member' });
        await resolveMembership(it.deps, { workspace_id, user_id: late.id });
      }
      return cache.revoke(keys, commit);
    };
    const request = { workspace_id, user_id: owner.id, confirm_slug: slug };
    await deleteWorkspace({ ...it.deps, cache: { ...cache, revoke } }, request);
    const keys = [late.id, owner.id].map((id) => authKeys.member(workspace_id, id));
    expect(await readAuth(it.redis, keys)).toEqual([null, null]);
  });

  test('admit members only while they are active', async () => {
    const owner = await it.newUser();
    const { id } = await it.newWorkspace(owner);
    const member = await it.newUser();
    await addMember(it.deps, { workspace_id: id, user_id: member.id, role: 'member' });
    const request = { workspace_id: id, user_id: member.id };
    await expect(resolveMembership(it.deps, request)).resolves.toMatchObject({ status: 'active' });
    const members = it.deps.connection.collection('members');
    await it.deps.cache.revoke([authKeys.member(id, member.id)], () =>
      members.updateOne(request, { $set: { status: 'suspended' } }),
    );
    await expect(resolveMembership(it.deps, request)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('tell their admins alone that a webhook was switched off', async () => {
    const owner = await it.newUser();
    const { id } = await it.newWorkspace(owner);
    const member = await it.newUser();
    await addMember(it.deps, { workspace_id: id, user_id: member.id, role: 'member' });
    const url = `https://hooks.example.com/${id}`;
    const notice = {
      webhook_id: 'hook',
      workspace_id: id,
      url,
      reason: 'gone' as const,
      failing_since: null,
      disabled_at: it.clock.now().toISOString(),
    };
    await tellOfDisabledWebhook(it.deps, notice, once);
    const sent = (await it.sent()).filter((mail) => mail.text.includes(url));
    expect(sent.map((mail) => mail.to)).toEqual([owner.email]);
  });

  test('send five notices of switched-off webhooks an hour to one admin', async () => {
    const owner = await it.newUser();
    const { id } = await it.newWorkspace(owner);
    const url = `https://hooks.example.com/${id}`;
    const at = it.clock.now().toISOString();
    const notice = { webhook_id: 'hook', workspace_id: id, url, failing_since: null };
    for (let time = 0; time < 7; time += 1)
      await tellOfDisabledWebhook(it.deps, { ...notice, reason: 'gone', disabled_at: at }, once);
    expect((await it.sent()).filter((mail) => mail.text.includes(url))).toHaveLength(5);
  });

  test('leave nothing behind when they are deleted', async () => {
    const owner = await it.newUser();
    const { id, slug } = await it.newWorkspace(owner);
    const kept = await it.newWorkspace(owner);
    const user = await createMobileUser(it.deps, { workspace_id: id, email: 'staff@example.com' });
    await sendPairingCode(it.deps, { workspace_id: id, id: user.id, delivery_method: 'none' });
    const guest = { workspace_id: id, email: 'guest@example.com', role: 'member' };
    await invite(it.deps, { ...guest, inviter_id: owner.id });
    await recordAudits(it.deps, { records: [record(id)] });
    await putMobileAppAccess(it.deps, {
      workspace_id: id,
      is_enabled: true,
      changed_at: it.clock.now().toISOString(),
    });
    await remove(id, owner.id, slug);
    await removeWorkspaceData(it.deps, id);
    const collections = await it.deps.connection.db!.listCollections().toArray();
    for (const { name } of collections.filter((each) => each.name !== 'outbox')) {
      const rows = await it.deps.connection.collection(name).find({}).toArray();
      expect([name, JSON.stringify(rows).includes(id)]).toEqual([name, false]);
    }
    const asked = resolveMembership(it.deps, { workspace_id: id, user_id: owner.id });
    expect(await outcome(asked)).toBe('FORBIDDEN');
    const other = { workspace_id: kept.id, user_id: owner.id };
    expect((await resolveMembership(it.deps, other)).is_creator).toBe(true);
  });

  test('that are gone are not brought back by what is heard late, or written at that moment', async () => {
    const owner = await it.newUser();
    const { id, slug } = await it.newWorkspace(owner);
    const insertMany: typeof it.deps.audit.insertMany = async (rows) => {
      await remove(id, owner.id, slug);
      await it.deps.audit.insertMany(rows);
    };
    const deps = { ...it.deps, audit: { ...it.deps.audit, insertMany } };
    await recordAudits(deps, { records: [record(id)] });
    await putMobileAppAccess(it.deps, {
      workspace_id: id,
      is_enabled: true,
      changed_at: it.clock.now().toISOString(),
    });
    expect(await it.deps.audit.list(id, { limit: 1 })).toEqual([]);
    expect(await it.deps.mobileAppAccess.find(id)).toBeNull();
  });

  test('tell the other services that they are gone, in the same commit', async () => {
    const owner = await it.newUser();
    const { id, slug } = await it.newWorkspace(owner);
    await remove(id, owner.id, slug);
    const events = await it.deps.connection
      .collection<{ _id: string; event: { type: string; workspaceid: string } }>('outbox')
      .find({ 'event.workspaceid': id })
      .toArray();
    expect(events.map(({ event }) => event.type).sort()).toEqual([
      'identity.workspace_created',
      'identity.workspace_deleted',
    ]);
  });

  test('let no one in by a door that was open while they were deleted', async () => {
    const owner = await it.newUser();
    const { id, slug } = await it.newWorkspace(owner);
    const guest = await it.newUser();
    const request = { workspace_id: id, user_id: guest.id, role: 'member' };
    await Promise.all([
      outcome(addMember(it.deps, request)),
      outcome(
        deleteWorkspace(it.deps, { workspace_id: id, user_id: owner.id, confirm_slug: slug }),
      ),
    ]);
    expect(await it.deps.workspaces.find(id)).toBeNull();
    expect(await outcome(resolveMembership(it.deps, request))).toBe('FORBIDDEN');
    expect(await it.deps.members.list(id)).toEqual([]);
  });

  test('lose one of two admins who put each other out at the same moment, though a third is left', async () => {
    const ways = {
      removed: (whose: { workspace_id: string; user_id: string; caller_id: string }) =>
        removeMember(it.deps, whose),
      demoted: (whose: { workspace_id: string; user_id: string; caller_id: string }) =>
        changeMemberRole(it.deps, { ...whose, role: 'member' }),
    };
    for (const putOut of Object.values(ways)) {
      const [creator, one, other] = await Promise.all([it.newUser(), it.newUser(), it.newUser()]);
      const { id: workspace_id } = await it.newWorkspace(creator);
      for (const { id: user_id } of [one, other])
        await addMember(it.deps, { workspace_id, user_id, role: 'admin' });
      const whose = [
        { workspace_id, user_id: one.id, caller_id: other.id },
        { workspace_id, user_id: other.id, caller_id: one.id },
      ];
      const outcomes = await Promise.all(whose.map((each) => outcome(putOut(each))));
      expect(outcomes.sort()).toEqual(['FORBIDDEN', 'done']);
      const members = await it.deps.members.list(workspace_id);
      expect(members.filter(({ role }) => role === 'admin')).toHaveLength(2);
    }
  });

  test.each(['removed', 'no admin any more'])(
    'take no member in from an admin who is %s since the gateway looked',
    async (fate) => {
      const [creator, admin, guest] = [await it.newUser(), await it.newUser(), await it.newUser()];
      const { id: workspace_id } = await it.newWorkspace(creator);
      await addMember(it.deps, { workspace_id, user_id: admin.id, role: 'admin' });
      const about = { workspace_id, role: 'admin', inviter_id: admin.id };
      const email = `guest-${workspace_id}@example.com`;
      const sent = await invite(it.deps, { ...about, email, inviter_id: creator.id });
      const whose = { workspace_id, user_id: admin.id, caller_id: creator.id };
      if (fate === 'removed') await removeMember(it.deps, whose);
      else await changeMemberRole(it.deps, { ...whose, role: 'member' });
      const added = { workspace_id, user_id: guest.id, role: 'admin', caller_id: admin.id };
      expect(await outcome(addMember(it.deps, added))).toBe('FORBIDDEN');
      expect(await outcome(invite(it.deps, { ...about, email: guest.email }))).toBe('FORBIDDEN');
      const again = { workspace_id, id: sent.invitation!.id, inviter_id: admin.id };
      expect(await outcome(resendInvitation(it.deps, again))).toBe('FORBIDDEN');
      expect(await it.deps.members.find(workspace_id, guest.id)).toBeNull();
      const { invitations } = await listInvitations(it.deps, { workspace_id });
      expect(invitations.map(({ id }) => id)).toEqual([sent.invitation!.id]);
      expect(await outcome(addMember(it.deps, { ...added, caller_id: creator.id }))).toBe('done');
    },
  );

  test('keep an admin, even if two demote each other at the same moment', async () => {
    const people = await Promise.all([it.newUser(), it.newUser(), it.newUser()]);
    const { id } = await it.newWorkspace(people[0]!);
    for (const { id: user_id } of people.slice(1))
      await addMember(it.deps, { workspace_id: id, user_id, role: 'admin' });
    const demotions = people.map(({ id: caller_id }, position) =>
      outcome(
        changeMemberRole(it.deps, {
          workspace_id: id,
          user_id: people[(position + 1) % 3]!.id,
          role: 'member',
          caller_id,
        }),
      ),
    );
    expect((await Promise.all(demotions)).sort()).toEqual(['FORBIDDEN', 'done', 'done']);
    const members = await it.deps.members.list(id);
    expect(members.filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  test('change nothing where no admin would be left', async () => {
    const [creator, other] = [await it.newUser(), await it.newUser()];
    const { id: workspace_id } = await it.newWorkspace(creator);
    await addMember(it.deps, { workspace_id, user_id: other.id, role: 'admin' });
    const whose = { workspace_id, user_id: other.id, caller_id: creator.id };
    const counted: number[] = [];
    const { countAdmins } = it.deps.members;
    const none: typeof countAdmins = async (workspaceId, session) => {
      counted.push(await countAdmins(workspaceId, session));
      return 0;
    };
    const deps = { ...it.deps, members: { ...it.deps.members, countAdmins: none } };
    expect(await outcome(removeMember(deps, whose))).toBe('INVALID_PAYLOAD');
    expect(await outcome(changeMemberRole(deps, { ...whose, role: 'member' }))).toBe(
      'INVALID_PAYLOAD',
    );
    // Either way only the one who asks would have been left.
    expect(counted).toEqual([1, 1]);
    expect(await it.deps.members.find(workspace_id, other.id)).toMatchObject({ role: 'admin' });
  });

  test('write an audit entry once, however often it is sent', async () => {
    const { id } = await it.newWorkspace(await it.newUser());
    const records = [record(id), record(id), record(id, 'clients.update')];
    await recordAudits(it.deps, { records });
    await recordAudits(it.deps, { records });
    const { data } = await listAuditLog(it.deps, { workspace_id: id, limit: 50 });
    expect(data.map(({ action }) => action).sort()).toEqual([
      'clients.create',
      'clients.update',
      'workspaces.create',
    ]);
  });

  test('take no audit entry any more once they are gone', async () => {
    const owner = await it.newUser();
    const { id, slug } = await it.newWorkspace(owner);
    await remove(id, owner.id, slug);
    await recordAudits(it.deps, { records: [record(id)] });
    expect((await listAuditLog(it.deps, { workspace_id: id, limit: 50 })).data).toEqual([]);
  });

  test('are not for those whom closed registration keeps out', async () => {
    const closed = { ...it.deps, config: { ...it.deps.config, allowRegistration: false } };
    const request = { email: 'late@example.com', password: 'a long enough passphrase' };
    expect(await outcome(register(closed, request))).toBe('FORBIDDEN');
  });
});
