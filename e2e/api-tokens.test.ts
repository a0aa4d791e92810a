import { until } from '@laurel/testing';
import { type Caller, call, callerFor, type Reply } from './support/api';
import {
  expectStatus,
  newClient,
  newUser,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { newTemplate, passOn } from './support/passes';

/** A PNG of one red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Named API tokens with scopes (docs/adr/0041). */
describe('a named API token', () => {
  let workspace: TestWorkspace;
  let clientId: string;
  beforeAll(async () => {
    workspace = await newWorkspace();
    await newWalletType(workspace, { is_default: true });
    clientId = (await newClient(workspace)).id;
  });

  const make = async (given: object, token = workspace.token) => {
    const body = { name: 'A program', ...given };
    return expectStatus(await call('POST', '/user/api-tokens', { token, body }), 201).body.data;
  };
  const holding = async (scope: string): Promise<Caller> =>
    callerFor((await make({ scope })).token, workspace.workspaceId);
  const listed = async () =>
    expectStatus(await call('GET', '/user/api-tokens', { token: workspace.token }), 200).body.data;
  const extensions = ({ body }: Reply) => body.errors[0].extensions;

  const earn = (caller: Caller) =>
    caller.post(':ws/loyalty/points/earn', { client_id: clientId, amount: 5 });
  const reward = (caller: Caller) =>
    caller.post(':ws/rewards', { name: 'Coffee', cost_in_points: 5 });
  const invite = (caller: Caller) =>
    call('POST', '/invite', {
      token: caller.token,
      body: { workspace_id: workspace.workspaceId, email: `${Date.now()}@example.com` },
    });

  test.each([
    ['read', 'configure', 'operate', 'full'],
    ['configure', null, 'operate', 'full'],
    ['operate', 'configure', null, 'full'],
    ['full', null, null, null],
  ])(
    'with the scope %s reads, and hears which scope it lacks for set-up (%s), points (%s) and team (%s)',
    async (scope, forSetUp, forPoints, forTeam) => {
      const caller = await holding(scope!);
      expectStatus(await caller.get(':ws/rewards'), 200);
      for (const [reply, lacking] of [
        [await reward(caller), forSetUp],
        [await earn(caller), forPoints],
        [await invite(caller), forTeam],
      ] as const) {
        if (lacking === null) expect(reply.status).toBeLessThan(300);
        else {
          expectStatus(reply, 403);
          expect(extensions(reply)).toMatchObject({
            code: 'FORBIDDEN',
            reason: 'scope_missing',
            missing_scope: lacking,
          });
        }
      }
    },
  );

  test('of any scope neither makes tokens, nor changes the account, nor takes up invitations', async () => {
    const { token } = await holding('full');
    for (const [method, path, body] of [
      ['POST', '/user/api-tokens', { name: 'More', scope: 'full' }],
      ['POST', '/user/api-token/regenerate', undefined],
      ['PATCH', '/user/me', { first_name: 'Eve' }],
      ['GET', '/my-invitations', undefined],
    ] as const) {
      const reply = expectStatus(await call(method, path, { token, body }), 403);
      expect(extensions(reply)).toMatchObject({ reason: 'not_by_named_token' });
    }
    expectStatus(await call('GET', '/user/me', { token }), 200);
  });

  test('that only reads or sets up is given no link by which it could act as a customer', async () => {
    const template = await newTemplate(workspace, { show_loyalty_portal_link_on_back: true });
    const passId = (await passOn(workspace, template, { client_id: clientId })).id;
    expectStatus(await workspace.put(':ws/portal-config', { is_enabled: true }), 200);
    const segment = expectStatus(
      await workspace.post(':ws/segments', { name: 'All', filters: [] }),
      201,
    ).body.data;
    const links = [
      ':ws/passes',
      `/passes/${passId}`,
      `:ws/passes/${passId}/loyalty-render-data`,
      `:ws/clients/${clientId}/passes`,
      `/projects/${template.project_id}/passes`,
      `/segments/${segment.id}/passes`,
    ];
    for (const scope of ['read', 'configure']) {
      const caller = await holding(scope);
      for (const path of links) {
        const reply = expectStatus(await caller.get(path), 403);
        expect(extensions(reply)).toMatchObject({ missing_scope: 'operate' });
      }
      const drawn = `:ws/pass-templates/${template.id}/preview?format=json&client_id=${clientId}`;
      const preview = expectStatus(await caller.get(drawn), 200).text;
      const held = expectStatus(await caller.get(`:ws/clients/${clientId}/export`), 200).text;
      expect(held).toContain(passId);
      expect(held).not.toContain('/p/');
      expect(preview).toContain(`/portal/${workspace.slug}`);
      expect(preview).not.toContain('token=');
    }
    const till = await holding('operate');
    for (const path of links) expectStatus(await till.get(path), 200);
  });

  test('bound to a workspace opens and shows that one alone, and a row elsewhere is not there', async () => {
    const other = await call('POST', '/workspaces', {
      token: workspace.token,
      body: { name: 'The other one' },
    });
    const elsewhere = callerFor(workspace.token, expectStatus(other, 201).body.data.id);
    const { id } = expectStatus(await elsewhere.post(':ws/projects', { name: 'Theirs' }), 201).body
      .data;
    const { token } = await make({ scope: 'full', workspace_id: workspace.workspaceId });
    const shown = expectStatus(await call('GET', '/workspaces', { token }), 200).body.data;
    expect(shown.map((each: { id: string }) => each.id)).toEqual([workspace.workspaceId]);
    expectStatus(await callerFor(token, workspace.workspaceId).get(':ws/clients'), 200);
    const refused = await callerFor(token, elsewhere.workspaceId).get(':ws/clients');
    expect(extensions(expectStatus(refused, 403))).toMatchObject({
      reason: 'token_of_another_workspace',
    });
    expectStatus(await call('GET', `/projects/${id}`, { token }), 404);
    expectStatus(await call('POST', '/workspaces', { token, body: { name: 'One more' } }), 403);
  });

  test('bound to a workspace opens what names its workspace among its parts or rows: pictures, batches of events', async () => {
    const elsewhere = await call('POST', '/workspaces', {
      token: workspace.token,
      body: { name: 'Yet another one' },
    });
    const other = expectStatus(elsewhere, 201).body.data.id;
    const boundTo = async (workspace_id: string) =>
      (await make({ scope: 'full', workspace_id })).token;
    const [token, foreign] = [await boundTo(workspace.workspaceId), await boundTo(other)];
    const picture = (by: string) => {
      const body = new FormData();
      body.set('workspace_id', workspace.workspaceId);
      body.set('file', new Blob([new Uint8Array(PIXEL)]), 'dot.png');
      return call('POST', '/files', { token: by, body });
    };
    expectStatus(await picture(token), 201);
    const pass = await passOn(workspace, await newTemplate(workspace), { client_id: clientId });
    const sale = {
      pass_id: pass.id,
      event_category: 'transaction',
      event_type: 'purchase',
      amount: 5,
      currency: 'EUR',
    };
    const record = (by: string) =>
      call('POST', '/events/batch', { token: by, body: { events: [sale] } });
    await until(async () => {
      const { created } = expectStatus(await record(token), 200).body.data;
      return created === 1;
    });
    for (const reply of [await picture(foreign), await record(foreign)])
      expect(extensions(expectStatus(reply, 403))).toMatchObject({
        reason: 'token_of_another_workspace',
      });
  });

  test('is bound to a workspace of its user alone', async () => {
    const { token } = await newUser();
    const body = { name: 'Mine', scope: 'read', workspace_id: workspace.workspaceId };
    expectStatus(await call('POST', '/user/api-tokens', { token, body }), 403);
  });

  test('is shown once, listed with its last use, and refused on the request after its revocation', async () => {
    const { token, ...made } = await make({ name: 'Till', scope: 'read' });
    expect(made).toMatchObject({ name: 'Till', scope: 'read', last_used_at: null });
    const caller = callerFor(token, workspace.workspaceId);
    for (const _ of [1, 2]) expectStatus(await caller.get(':ws/clients'), 200);
    const found = (await listed()).find(({ id }: { id: string }) => id === made.id);
    expect(found).toEqual({ ...made, last_used_at: expect.any(String) });
    const path = `/user/api-tokens/${made.id}`;
    expectStatus(await call('DELETE', path, { token: (await newUser()).token }), 404);
    expectStatus(await caller.get(':ws/clients'), 200);
    expectStatus(await call('DELETE', path, { token: workspace.token }), 200);
    expectStatus(await caller.get(':ws/clients'), 401);
    expectStatus(await call('DELETE', path, { token: workspace.token }), 404);
  });

  test('ends at the moment it was made for, although it was just used', async () => {
    // Not sooner than a busy machine has made it.
    const endsAt = Date.now() + 8_000;
    const expires_at = new Date(endsAt).toISOString();
    const { token } = await make({ scope: 'read', expires_at });
    const caller = callerFor(token, workspace.workspaceId);
    expectStatus(await caller.get(':ws/clients'), 200);
    const reply = await until(
      async () => {
        const answer = await caller.get(':ws/clients');
        return answer.status === 200 ? null : answer;
      },
      { everyMs: 100, what: 'the end of the token' },
    );
    expect(Date.now()).toBeGreaterThanOrEqual(endsAt);
    expect([reply.status, extensions(reply).code]).toEqual([401, 'TOKEN_EXPIRED']);
    const late = { name: 'Late', scope: 'read', expires_at };
    const { status, body } = await call('POST', '/user/api-tokens', {
      token: workspace.token,
      body: late,
    });
    expect([status, body.errors[0].extensions.field]).toEqual([400, 'expires_at']);
  });

  test('leaves the API token without a name what it was: everything, and one', async () => {
    const { token: session } = workspace;
    const { token } = expectStatus(
      await call('POST', '/user/api-token/regenerate', { token: session }),
      200,
    ).body;
    const caller = callerFor(token, workspace.workspaceId);
    expectStatus(await earn(caller), 201);
    await make({ scope: 'read' }, token);
    expect(expectStatus(await call('GET', '/user/api-token', { token }), 200).body).toEqual({
      has_token: true,
    });
  });
});
