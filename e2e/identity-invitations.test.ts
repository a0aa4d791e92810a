import { randomUUID } from 'node:crypto';
import { call } from './support/api';
import {
  expectStatus,
  newMember,
  newUser,
  newWorkspace,
  type TestWorkspace,
  uniqueEmail,
  verified,
} from './support/factories';
import { mailTo, tokenIn } from './support/mails';
import { codeOf, ISO, UUID } from './support/replies';

const invite = (workspace: TestWorkspace, email: string, body: object = {}) =>
  call('POST', '/invite', {
    token: workspace.token,
    body: { email, workspace_id: workspace.workspaceId, ...body },
  });
const listed = async (workspace: TestWorkspace) =>
  (await workspace.get(':ws/invitations')).body.invitations;
const accept = (token: string, invitationToken: string) =>
  call('POST', '/accept-invitation', { token, body: { invitation_token: invitationToken } });

describe('an invitation', () => {
  test('is mailed, listed and readable by its token', async () => {
    const workspace = await newWorkspace();
    const email = uniqueEmail('guest');
    const reply = await invite(workspace, email, { role: 'admin' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      invitation: {
        id: UUID,
        email,
        expires_at: ISO,
        workspace_name: 'Coffee Corner',
        superseded_previous: false,
      },
      message: expect.any(String),
    });
    const [row] = await listed(workspace);
    expect(row).toEqual({
      id: reply.body.invitation.id,
      email,
      invitation_token: UUID,
      role: 'admin',
      status: 'pending',
      date_created: ISO,
      expires_at: reply.body.invitation.expires_at,
      inviter_name: workspace.owner.email,
      workspace_name: 'Coffee Corner',
    });
    expect(Date.parse(row.expires_at) - Date.parse(row.date_created)).toBe(7 * 86_400_000);
    // What only the mail carries proves the address; what inviters see does not.
    const mailed = tokenIn(await mailTo(email));
    expect(mailed).not.toBe(row.invitation_token);
    expectStatus(await call('GET', `/invitation/${mailed}`), 200);
    const open = await call('GET', `/invitation/${row.invitation_token}`);
    expect(open.status).toBe(200);
    expect(open.body).toEqual({
      invitation: {
        email,
        expires_at: row.expires_at,
        inviter_email: workspace.owner.email,
        inviter_name: workspace.owner.email,
        user_exists: false,
        workspace_name: 'Coffee Corner',
      },
    });
  });

  test('makes the invited person a member with the role, once', async () => {
    const workspace = await newWorkspace();
    const guest = await verified(await newUser());
    await invite(workspace, guest.email.toUpperCase(), { role: 'admin' });
    const mine = await call('GET', '/my-invitations', { token: guest.token });
    expect(mine.body).toEqual({
      invitations: [
        {
          id: UUID,
          invitation_token: UUID,
          workspace_name: 'Coffee Corner',
          inviter_name: workspace.owner.email,
          date_created: ISO,
          expires_at: ISO,
        },
      ],
    });
    const token = mine.body.invitations[0].invitation_token;
    expect((await call('GET', `/invitation/${token}`)).body.invitation.user_exists).toBe(true);
    const reply = await accept(guest.token, token);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      message: expect.any(String),
      workspace: { id: workspace.workspaceId, name: 'Coffee Corner' },
    });
    const role = await workspace.get(`:ws/members/${guest.id}/role`);
    expect(role.body.role).toBe('admin');
    const again = await accept(guest.token, token);
    expect(again.status).toBe(400);
    expect(codeOf(again)).toBe('INVALID_PAYLOAD');
    expectStatus(await call('GET', `/invitation/${token}`), 400);
    expect(await listed(workspace)).toEqual([]);
    expect((await call('GET', '/my-invitations', { token: guest.token })).body.invitations).toEqual(
      [],
    );
  });

  test('is accepted once by many at once', async () => {
    const workspace = await newWorkspace();
    const guest = await newUser();
    await invite(workspace, guest.email);
    const token = (await listed(workspace))[0].invitation_token;
    const replies = await Promise.all([1, 2, 3, 4].map(() => accept(guest.token, token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test('is for the address it names alone', async () => {
    const workspace = await newWorkspace();
    await invite(workspace, uniqueEmail());
    const token = (await listed(workspace))[0].invitation_token;
    const other = await newUser();
    const reply = await accept(other.token, token);
    expect(reply.status).toBe(403);
    expect(codeOf(reply)).toBe('FORBIDDEN');
    expectStatus(await accept(other.token, randomUUID()), 400);
    expectStatus(await accept(other.token, 'nonsense'), 400);
    expectStatus(await call('GET', `/invitation/${randomUUID()}`), 400);
    expectStatus(await call('GET', '/invitation/nonsense'), 400);
  });

  test('replaces the one before it', async () => {
    const workspace = await newWorkspace();
    const guest = await newUser();
    await invite(workspace, guest.email);
    const [first] = await listed(workspace);
    const reply = expectStatus(await invite(workspace, guest.email), 200);
    expect(reply.body.invitation.superseded_previous).toBe(true);
    const rows = await listed(workspace);
    expect(rows).toHaveLength(1);
    expect(rows[0].id).toBe(reply.body.invitation.id);
    expectStatus(await accept(guest.token, first.invitation_token), 400);
    expectStatus(await accept(guest.token, rows[0].invitation_token), 200);
  });

  test('stands once when many invite the same address at once', async () => {
    const workspace = await newWorkspace();
    const email = uniqueEmail();
    const replies = await Promise.all([1, 2, 3, 4].map(() => invite(workspace, email)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await listed(workspace)).toHaveLength(1);
  });

  test('to a member is a conflict', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const reply = await invite(workspace, member.user.email);
    expect(reply.status).toBe(409);
    expect(codeOf(reply)).toBe('CONFLICT');
  });

  test('that is revoked cannot be accepted', async () => {
    const workspace = await newWorkspace();
    const guest = await newUser();
    const { id } = (await invite(workspace, guest.email)).body.invitation;
    const [{ invitation_token: token }] = await listed(workspace);
    const reply = expectStatus(
      await call('DELETE', `/invitation/${id}`, { token: workspace.token }),
      200,
    );
    expect(reply.body).toEqual({ message: expect.any(String) });
    expect(await listed(workspace)).toEqual([]);
    expectStatus(await accept(guest.token, token), 400);
    expectStatus(await call('DELETE', `/invitation/${id}`, { token: workspace.token }), 409);
  });

  test('that is sent again has a new token, and the old one is dead', async () => {
    const workspace = await newWorkspace();
    const guest = await newUser();
    const { id } = (await invite(workspace, guest.email)).body.invitation;
    const [old] = await listed(workspace);
    const resend = (of: string) =>
      call('POST', `/invitation/${of}/resend`, { token: workspace.token });
    const reply = expectStatus(await resend(id), 200);
    expect(reply.body).toEqual({
      invitation: expect.objectContaining({ id: UUID, email: guest.email, status: 'pending' }),
      message: expect.any(String),
    });
    const { invitation } = reply.body;
    expect(invitation.invitation_token).not.toBe(old.invitation_token);
    expect(await listed(workspace)).toEqual([invitation]);
    await mailTo(guest.email, 2);
    expectStatus(await accept(guest.token, old.invitation_token), 400);
    expectStatus(await resend(id), 404);
    expectStatus(await accept(guest.token, invitation.invitation_token), 200);
  });

  test('of another workspace does not exist', async () => {
    const workspace = await newWorkspace();
    const { id } = (await invite(workspace, uniqueEmail())).body.invitation;
    const member = await newMember(workspace);
    const stranger = await newWorkspace();
    for (const [method, path] of [
      ['DELETE', `/invitation/${id}`],
      ['POST', `/invitation/${id}/resend`],
    ] as const) {
      const foreign = expectStatus(await call(method, path, { token: stranger.token }), 404);
      const nowhere = await call(method, path.replace(id, randomUUID()), {
        token: stranger.token,
      });
      expect([nowhere.status, nowhere.text]).toEqual([foreign.status, foreign.text]);
      expectStatus(await call(method, path, { token: member.token }), 403);
      expectStatus(await call(method, path), 403);
    }
    expectStatus(await invite({ ...workspace, token: stranger.token }, uniqueEmail()), 403);
  });

  test.each([
    [{ email: 'nobody' }],
    [{ email: undefined }],
    [{ workspace_id: 'nowhere' }],
    [{ role: 'owner' }],
    [{ note: 'hello' }],
  ])('refuses %j', async (body) => {
    const workspace = await newWorkspace();
    expectStatus(await invite(workspace, uniqueEmail(), body), 400);
  });
});
