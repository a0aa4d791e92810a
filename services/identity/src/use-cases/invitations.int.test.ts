import type { identity } from '@laurel/rpc';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { acceptInvitation } from './accept-invitation';
import { findInvitation } from './find-invitation';
import { invite, resendInvitation } from './invite';
import { listInvitations, listMyInvitations } from './list-invitations';

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

  test('makes room for another, which supersedes nothing that was pending', async () => {
    expect((await send()).superseded_previous).toBe(false);
    expect(await list()).toHaveLength(1);
  });
});
