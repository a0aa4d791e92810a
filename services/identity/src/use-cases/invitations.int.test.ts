import type { identity } from '@laurel/rpc';
import { underOneKey } from '@laurel/testing';
import {
  type IdentityUnderTest,
  identityUnderTest,
  outcome,
  PASSWORD,
} from '../testing/identity-under-test';
import { acceptInvitation } from './accept-invitation';
import { changeMemberRole } from './change-member-role';
import { findInvitation } from './find-invitation';
import { invite, resendInvitation } from './invite';
import { listInvitations, listMyInvitations } from './list-invitations';
import { register } from './register';
import { removeMember } from './remove-member';

const WEEK_MS = 7 * 86_400_000;

describe('an invitation past its seven days', () => {
  let it: IdentityUnderTest;
  let owner: identity.User;
  let guest: identity.User;
  let workspace: identity.Workspace;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());

  const send = () =>
    invite(it.deps, {
      workspace_id: workspace.id,
      email: guest.email,
      role: 'member',
      inviter_id: owner.id,
    });
  const list = async () =>
    (await listInvitations(it.deps, { workspace_id: workspace.id })).invitations;

  beforeEach(async () => {
    owner = await it.newUser();
    guest = await it.newUser();
    workspace = await it.newWorkspace(owner);
    await send();
    it.clock.advanceMs(WEEK_MS);
  });

  test('is reported as expired and opens nothing', async () => {
    const [row] = await list();
    expect(row!.status).toBe('expired');
    const token = row!.invitation_token;
    expect(await outcome(findInvitation(it.deps, { invitation_token: token }))).toBe(
      'INVALID_PAYLOAD',
    );
    const accepted = acceptInvitation(it.deps, { user_id: guest.id, invitation_token: token });
    expect(await outcome(accepted)).toBe('INVALID_PAYLOAD');
    expect((await listMyInvitations(it.deps, { user_id: guest.id })).invitations).toEqual([]);
  });

  test('is alive again, for another seven days, once it is sent again', async () => {
    const [row] = await list();
    const request = { workspace_id: workspace.id, id: row!.id, inviter_id: owner.id };
    const again = await resendInvitation(it.deps, request);
    expect(again.status).toBe('pending');
    expect(Date.parse(again.expires_at) - it.clock.now().getTime()).toBe(WEEK_MS);
    expect((await list()).map(({ id }) => id)).toEqual([again.id]);
    const accepted = { user_id: guest.id, invitation_token: again.invitation_token };
    expect((await acceptInvitation(it.deps, accepted)).workspace_id).toBe(workspace.id);
  });

  test('opens no account where registration is closed; a live one for the same address does', async () => {
    const closed = { ...it.deps, config: { ...it.deps.config, allowRegistration: false } };
    const email = 'invited-newcomer@example.com';
    const about = { workspace_id: workspace.id, role: 'member', inviter_id: owner.id };
    await invite(it.deps, { ...about, email });
    const token = (await list()).find((row) => row.email === email)!.invitation_token;
    const enter = (address: string, invitation_token?: string) =>
      outcome(register(closed, { email: address, password: PASSWORD, invitation_token }));
    expect(await enter(email)).toBe('FORBIDDEN');
    expect(await enter('other@example.com', token)).toBe('INVALID_PAYLOAD');
    it.clock.advanceMs(WEEK_MS);
    expect(await enter(email, token)).toBe('FORBIDDEN');
    it.clock.advanceMs(-WEEK_MS);
    expect(await enter(email, token)).toBe('done');
    const people = it.deps.connection.collection('users');
    // The token that inviters see lets in and proves nothing.
    expect(await people.findOne({ email })).toMatchObject({ email_verified: false });
  });

  test('tells its holder alone what to do where its address has an account', async () => {
    const guest = await it.newUser();
    const about = { workspace_id: workspace.id, role: 'member', inviter_id: owner.id };
    await invite(it.deps, { ...about, email: guest.email });
    const token = (await list()).find((row) => row.email === guest.email)!.invitation_token!;
    const refusal = (invitation_token?: string) =>
      register(it.deps, { email: guest.email, password: PASSWORD, invitation_token }).catch(
        (error: Error) => error.message,
      );
    expect(await refusal(token)).toContain('have a link mailed that sets a new one');
    expect(await refusal()).toBe('this e-mail address already has an account');
    expect(await refusal('00000000-0000-4000-8000-000000000000')).toContain('no longer valid');
  });

  test('opens an account once, and who repeats that gets the first answer again', async () => {
    const email = `twice-${workspace.slug}@example.com`;
    const about = { workspace_id: workspace.id, role: 'member', inviter_id: owner.id };
    await invite(it.deps, { ...about, email });
    const token = (await list()).find((row) => row.email === email)!.invitation_token;
    const enter = underOneKey(() =>
      register(it.deps, { email, password: PASSWORD, invitation_token: token }),
    );
    expect(await enter()).toEqual(await enter());
  });

  test('leaves a workspace a hundred times a day at most', async () => {
    const to = (number: number) =>
      outcome(
        invite(it.deps, {
          workspace_id: workspace.id,
          email: `guest-${number}@${workspace.slug}.example`,
          role: 'member',
          inviter_id: owner.id,
        }),
      );
    const first = [];
    for (let number = 0; number < 100; number += 1) first.push(await to(number));
    expect(new Set(first)).toEqual(new Set(['done']));
    expect(await to(100)).toBe('RATE_LIMITED');
    it.clock.advanceMs(86_400_000);
    expect(await to(100)).toBe('done');
  });

  test('goes to one address five times an hour, however many workspaces and people send it', async () => {
    const email = `bombed-${workspace.slug}@example.com`;
    const bomber = await it.newUser();
    const senders = [{ about: workspace, inviter: owner }];
    for (let each = 0; each < 3; each += 1)
      senders.push({ about: await it.newWorkspace(bomber), inviter: bomber });
    const from = async ({ about, inviter }: (typeof senders)[number], to = email) =>
      outcome(
        invite(it.deps, {
          workspace_id: about.id,
          email: to,
          role: 'member',
          inviter_id: inviter.id,
        }),
      );
    const answers = await Promise.all([...senders, ...senders].map((sender) => from(sender)));
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(5);
    expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(3);
    expect(await from(senders[3]!, email.toUpperCase())).toBe('RATE_LIMITED');
    expect(await from(senders[3]!, `other-${email}`)).toBe('done');
    it.clock.advanceMs(3_600_000);
    expect(await from(senders[3]!)).toBe('done');
  });

  test.each(['removed', 'no admin any more'])(
    'ends with the rights of who sent it, who were %s: one may go to another address of theirs',
    async (fate) => {
      const admin = await it.newUser();
      const own = await it.newUser();
      const about = { workspace_id: workspace.id, role: 'admin' };
      const enter = async (user: identity.User, inviter: identity.User) => {
        await invite(it.deps, { ...about, email: user.email, inviter_id: inviter.id });
        const { invitation_token } = (await list()).find(({ email }) => email === user.email)!;
        return () => outcome(acceptInvitation(it.deps, { user_id: user.id, invitation_token }));
      };
      expect(await (await enter(admin, owner))()).toBe('done');
      const back = await enter(own, admin);
      const colleague = await it.newUser();
      const others = await enter(colleague, owner);
      const whose = { workspace_id: workspace.id, user_id: admin.id, caller_id: owner.id };
      if (fate === 'removed') await removeMember(it.deps, whose);
      else await changeMemberRole(it.deps, { ...whose, role: 'member' });
      expect(await back()).toBe('INVALID_PAYLOAD');
      expect(await others()).toBe('done');
    },
  );

  test('makes room for another, which supersedes nothing that was pending', async () => {
    expect((await send()).superseded_previous).toBe(false);
    expect(await list()).toHaveLength(1);
  });
});
