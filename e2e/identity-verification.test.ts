import { randomUUID } from 'node:crypto';
import { call } from './support/api';
import {
  expectStatus,
  newMember,
  newUser,
  newWorkspace,
  PASSWORD,
  signIn,
  type TestWorkspace,
  uniqueEmail,
  verified,
} from './support/factories';
import { confirmationsTo, confirmationTo, mailTo, tokenIn } from './support/mails';
import { fieldOf } from './support/replies';

const isVerified = async (token: string) =>
  (await call('GET', '/user/me', { token })).body.data.email_verified;
const verify = (token: string) => call('POST', '!/auth/verify-email', { body: { token } });
const resend = (token: string) => call('POST', '!/auth/verify-email/resend', { token });
const register = (body: object) =>
  call('POST', '!/auth/register', { body: { password: PASSWORD, ...body } });
const mine = async (token: string) =>
  (await call('GET', '/my-invitations', { token })).body.invitations;
const accept = (token: string, invitationToken: string) =>
  call('POST', '/accept-invitation', { token, body: { invitation_token: invitationToken } });
const invite = (workspace: TestWorkspace, email: string, role = 'admin') =>
  call('POST', '/invite', {
    token: workspace.token,
    body: { email, workspace_id: workspace.workspaceId, role },
  });

describe('an address', () => {
  test('is verified by the link of the registration mail, once', async () => {
    const user = await newUser();
    expect(await isVerified(user.token)).toBe(false);
    const mail = await confirmationTo(user.email);
    expect(mail).toContain('/verify-email?token=');
    const reply = expectStatus(await verify(tokenIn(mail)), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expect(await isVerified(user.token)).toBe(true);
    for (const token of [tokenIn(mail), 'made-up', randomUUID()]) {
      const again = expectStatus(await verify(token), 400);
      expect(fieldOf(again)).toBe('token');
    }
  });

  test('is verified by one of many who open the link at once', async () => {
    const user = await newUser();
    const token = tokenIn(await confirmationTo(user.email));
    const replies = await Promise.all([1, 2, 3].map(() => verify(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('gets a new link that ends the earlier one, and none once it is verified', async () => {
    const user = await newUser();
    const first = tokenIn(await confirmationTo(user.email));
    const reply = expectStatus(await resend(user.token), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    const second = tokenIn(await confirmationTo(user.email, 2));
    expectStatus(await verify(first), 400);
    expectStatus(await verify(second), 200);
    expectStatus(await resend(user.token), 200);
    expect(await confirmationsTo(user.email)).toHaveLength(2);
    expectStatus(await call('POST', '!/auth/verify-email/resend'), 403);
  });

  test('gets five new links an hour at most, however many are asked for at once', async () => {
    const user = await newUser();
    const replies = await Promise.all(Array.from({ length: 8 }, () => resend(user.token)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await confirmationTo(user.email, 6);
    // The mail of the next wish would leave after this one.
    expectStatus(
      await call('POST', '!/auth/password/request', { body: { email: user.email } }),
      200,
    );
    await mailTo(user.email);
    expect(await confirmationsTo(user.email)).toHaveLength(6);
  });

  test('is verified by the reset of its password; who registered it in advance is out', async () => {
    const stranger = await newUser();
    await call('POST', '!/auth/password/request', { body: { email: stranger.email } });
    const token = tokenIn(await mailTo(stranger.email));
    const password = 'the passphrase of the owner';
    expectStatus(await call('POST', '!/auth/password/reset', { body: { token, password } }), 200);
    expectStatus(await call('GET', '/user/me', { token: stranger.token }), 401);
    const refreshed = { body: { refresh_token: stranger.refreshToken } };
    expectStatus(await call('POST', '!/auth/refresh', refreshed), 401);
    const owner = await signIn(stranger.email, password);
    expect(await isVerified(owner.token)).toBe(true);
  });
});

describe('an invitation', () => {
  test('stays hidden from those who register its address without proof', async () => {
    const workspace = await newWorkspace();
    const email = uniqueEmail('invited');
    expectStatus(await invite(workspace, email), 200);
    const stranger = await newUser({ email });
    expect(await mine(stranger.token)).toEqual([]);
    await verified(stranger);
    expect(await mine(stranger.token)).toHaveLength(1);
  });

  test('shows its token to no member who may not invite', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const email = uniqueEmail('invited');
    expectStatus(await invite(workspace, email), 200);
    const [seen] = (await member.get(':ws/invitations')).body.invitations;
    expect(seen).toMatchObject({ email, role: 'admin', invitation_token: null });
    const [known] = (await workspace.get(':ws/invitations')).body.invitations;
    expect(known).toEqual({ ...seen, invitation_token: expect.any(String) });
  });

  test('that came by mail verifies the address of who accepts it', async () => {
    const workspace = await newWorkspace();
    const guest = await newUser();
    expectStatus(await invite(workspace, guest.email, 'member'), 200);
    const link = tokenIn(await confirmationTo(guest.email));
    expectStatus(await accept(guest.token, tokenIn(await mailTo(guest.email))), 200);
    expect(await isVerified(guest.token)).toBe(true);
    expectStatus(await verify(link), 400);
  });

  test('lets in by the token that inviters see, which verifies nothing: they could invite any address', async () => {
    const [own, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const victim = uniqueEmail('victim');
    expectStatus(await invite(other, victim), 200);
    expectStatus(await invite(own, victim), 200);
    const [{ invitation_token: seen }] = (await own.get(':ws/invitations')).body.invitations;
    const reply = expectStatus(await register({ email: victim, invitation_token: seen }), 201);
    expect(reply.body.data.email_verified).toBe(false);
    const squatter = await signIn(victim);
    expectStatus(await accept(squatter.token, seen), 200);
    expect(await isVerified(squatter.token)).toBe(false);
    expect(await mine(squatter.token)).toEqual([]);
  });

  test('that came by mail makes a verified account at once', async () => {
    const workspace = await newWorkspace();
    const email = uniqueEmail('invited');
    expectStatus(await invite(workspace, email), 200);
    const token = tokenIn(await mailTo(email));
    const body = { email: email.toUpperCase(), invitation_token: token };
    const reply = expectStatus(await register(body), 201);
    expect(reply.body.data.email_verified).toBe(true);
    const guest = await signIn(email);
    expect(await mine(guest.token)).toHaveLength(1);
    expect(await confirmationsTo(email)).toEqual([]);
    expectStatus(await accept(guest.token, token), 200);
  });

  test('makes no account of another address, and none once it is dead', async () => {
    const workspace = await newWorkspace();
    const email = uniqueEmail('invited');
    const { id } = (await invite(workspace, email)).body.invitation;
    const token = tokenIn(await mailTo(email));
    const other = await register({ email: uniqueEmail(), invitation_token: token });
    expect([other.status, fieldOf(other)]).toEqual([400, 'invitation_token']);
    expectStatus(await call('DELETE', `/invitation/${id}`, { token: workspace.token }), 200);
    for (const dead of [token, randomUUID(), 'nonsense']) {
      const reply = await register({ email, invitation_token: dead });
      expect([reply.status, fieldOf(reply)]).toEqual([400, 'invitation_token']);
    }
  });

  test('is mailed five times an hour to one address, however many workspaces send it', async () => {
    const [busy, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const email = uniqueEmail('bombed');
    const sent = await Promise.all(Array.from({ length: 8 }, () => invite(busy, email)));
    expect(sent.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(3).fill(429),
    ]);
    const [invitation] = (await busy.get(':ws/invitations')).body.invitations;
    const again = await call('POST', `/invitation/${invitation.id}/resend`, { token: busy.token });
    expect([again.status, again.body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expectStatus(await invite(busy, uniqueEmail()), 200);
    expectStatus(await invite(other, email), 429);
  });
});
