import { call, gateways, type Reply } from '../support/api';
import {
  expectStatus,
  newMember,
  newUser,
  newWorkspace,
  PASSWORD,
  signIn,
} from '../support/factories';

/** What is taken away at one gateway is gone at the other on the very next request (docs/adr/0005). */
describe.each([
  ['first', 'second', 0, 1],
  ['second', 'first', 1, 0],
])('at the %s gateway, seen by the %s', (_here, _there, hereAt, thereAt) => {
  const here = gateways()[hereAt]!;
  const there = gateways()[thereAt]!;
  const code = ({ body }: Reply) => body.errors[0].extensions.code;
  const meThere = (token: string) => call('GET', '/user/me', { token, gateway: there });

  /** Both gateways know the credential by now, so that a memory of it would show. */
  async function used(token: string, path = '/user/me'): Promise<void> {
    for (const gateway of [here, there, here, there])
      expectStatus(await call('GET', path, { token, gateway }), 200);
  }

  test('logging out ends the session', async () => {
    const { token, refreshToken } = await newUser();
    await used(token);
    const body = { refresh_token: refreshToken };
    expectStatus(await call('POST', '!/auth/logout', { body, gateway: here }), 200);
    const reply = await meThere(token);
    expect([reply.status, code(reply)]).toEqual([401, 'INVALID_TOKEN']);
  });

  test('a new password ends the other sessions', async () => {
    const { email, token } = await newUser();
    const other = await signIn(email);
    await used(other.token);
    const body = { password: `${PASSWORD} 2`, current_password: PASSWORD };
    expectStatus(await call('PATCH', '/user/me', { token, body, gateway: here }), 200);
    expectStatus(await meThere(other.token), 401);
  });

  test('a regenerated API token replaces the old one', async () => {
    const { token: session } = await newUser();
    const regenerate = async () => {
      const reply = await call('POST', '/user/api-token/regenerate', {
        token: session,
        gateway: here,
      });
      return expectStatus(reply, 200).body.token as string;
    };
    const old = await regenerate();
    await used(old);
    const young = await regenerate();
    expectStatus(await meThere(old), 401);
    expectStatus(await meThere(young), 200);
  });

  test('a revoked named token is dead', async () => {
    const { token: session } = await newUser();
    const body = { name: 'CI', scope: 'read' };
    const made = await call('POST', '/user/api-tokens', { token: session, body, gateway: here });
    const { id, token } = expectStatus(made, 201).body.data;
    await used(token);
    const path = `/user/api-tokens/${id}`;
    expectStatus(await call('DELETE', path, { token: session, gateway: here }), 200);
    expectStatus(await meThere(token), 401);
  });

  test('a removed member is out, and in again once added', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const path = `/workspace/${workspace.workspaceId}/clients`;
    const look = () => call('GET', path, { token: member.token, gateway: there });
    await used(member.token, path);
    const { token } = workspace;
    const members = `/workspace/${workspace.workspaceId}/members`;
    const { id } = member.user;
    expectStatus(await call('DELETE', `${members}/${id}`, { token, gateway: here }), 200);
    expectStatus(await look(), 403);
    const body = { user_id: id, role: 'member' };
    expectStatus(await call('POST', members, { token, body, gateway: here }), 201);
    expectStatus(await look(), 200);
  });

  test('an admin who becomes a member may no longer change settings', async () => {
    const workspace = await newWorkspace();
    const admin = await newMember(workspace, 'admin');
    const settings = `/workspace/${workspace.workspaceId}/settings`;
    const change = () =>
      call('PATCH', settings, {
        token: admin.token,
        body: { default_locale: 'fr' },
        gateway: there,
      });
    expectStatus(await change(), 200);
    const role = `/workspace/${workspace.workspaceId}/members/${admin.user.id}/role`;
    const demoted = { token: workspace.token, body: { role: 'member' }, gateway: here };
    expectStatus(await call('PATCH', role, demoted), 200);
    expectStatus(await change(), 403);
  });

  test('a deleted workspace is closed to its creator', async () => {
    const { token, workspaceId, slug } = await newWorkspace();
    await used(token, `/workspace/${workspaceId}/clients`);
    const body = { confirm_slug: slug };
    const deleted = await call('DELETE', `/workspace/${workspaceId}`, {
      token,
      body,
      gateway: here,
    });
    expectStatus(deleted, 200);
    const path = `/workspace/${workspaceId}/clients`;
    expectStatus(await call('GET', path, { token, gateway: there }), 403);
  });
});
