import { randomUUID } from 'node:crypto';
import { call } from './support/api';
import {
  expectStatus,
  newMember,
  newWorkspace,
  type TestWorkspace,
  uniqueEmail,
} from './support/factories';
import { mailsTo, mailTo } from './support/mails';
import { codeOf, fieldOf, ISO, UUID } from './support/replies';

const users = ':ws/mobile-app-users';
const phoneOf = () => `+4850${Math.floor(1_000_000 + Math.random() * 8_999_999)}`;

async function addUser(workspace: TestWorkspace, body: object = {}) {
  const reply = await workspace.post(users, { email: uniqueEmail('staff'), ...body });
  return expectStatus(reply, 201).body.data;
}
const sendCode = (workspace: TestWorkspace, id: string, method = 'none') =>
  workspace.post(`${users}/${id}/send-pairing-code`, { delivery_method: method });
const pair = (identifier: string, code: string, device: object = {}) =>
  call('POST', '/mobile-app/auth/pair', { body: { identifier, code, ...device } });
const me = (token: string) =>
  call('GET', '/mobile-app/me', { headers: { 'X-Mobile-Token': token } });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function pairedUser(workspace: TestWorkspace, body: object = {}) {
  const user = await addUser(workspace, body);
  const { code } = (await sendCode(workspace, user.id)).body;
  const reply = await pair(user.email, code, { device_name: 'Till 1', device_os: 'Android 15' });
  return { user, ...expectStatus(reply, 200).body.data };
}

describe('app users', () => {
  test('are added as pending', async () => {
    const workspace = await newWorkspace();
    const body = {
      email: uniqueEmail(),
      phone: phoneOf(),
      first_name: 'Ada',
      last_name: 'L',
      metadata: { till: [1, null] },
    };
    const reply = await workspace.post(users, body);
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: UUID,
      workspace_id: workspace.workspaceId,
      ...body,
      status: 'pending',
      linked_user_id: null,
      paired_at: null,
      last_login: null,
      date_created: ISO,
    });
    const read = await workspace.get(`${users}/${reply.body.data.id}`);
    expect(read.body).toEqual(reply.body);
  });

  test.each([
    [{}],
    [{ first_name: 'Ada' }],
    [{ email: null, phone: null }],
    [{ email: 'nobody' }],
    [{ phone: '' }],
    [{ email: 'a@example.com', status: 'active' }],
    [{ email: 'a@example.com', metadata: [] }],
  ])('refuse %j', async (body) => {
    const reply = await (await newWorkspace()).post(users, body);
    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe('INVALID_PAYLOAD');
  });

  test('are added by one contact where the other is null, as they are shown', async () => {
    const workspace = await newWorkspace();
    const byMail = await addUser(workspace, { phone: null });
    expect(byMail).toMatchObject({ email: expect.any(String), phone: null });
    const phone = phoneOf();
    expect(await addUser(workspace, { email: null, phone })).toMatchObject({ email: null, phone });
  });

  test('are one per address and phone within the workspace', async () => {
    const workspace = await newWorkspace();
    const { email, phone } = await addUser(workspace, { phone: phoneOf() });
    const sameMail = await workspace.post(users, { email: email.toUpperCase() });
    expect([sameMail.status, fieldOf(sameMail)]).toEqual([400, 'email']);
    const spaced = phone.replace(/(\d{3})(?=\d)/g, '$1 ');
    const samePhone = await workspace.post(users, { phone: spaced });
    expect([samePhone.status, fieldOf(samePhone)]).toEqual([400, 'phone']);
    const other = await addUser(workspace, { phone: phoneOf() });
    expect(fieldOf(await workspace.patch(`${users}/${other.id}`, { email }))).toBe('email');
    expectStatus(await (await newWorkspace()).post(users, { email, phone }), 201);
    const replies = await Promise.all(
      [1, 2, 3].map(() => workspace.post(users, { email: `race-${email}` })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  test('are listed newest first, searched and filtered', async () => {
    const workspace = await newWorkspace();
    const first = await addUser(workspace, { first_name: 'Łucja' });
    const second = await addUser(workspace, { first_name: 'Zoë', phone: phoneOf() });
    await workspace.patch(`${users}/${second.id}`, { status: 'suspended' });
    const all = await workspace.get(users);
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(all.body.meta).toEqual({ total: 2, limit: 50, offset: 0 });
    const ids = async (query: Record<string, string | number>) =>
      (await workspace.get(users, query)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids({ search: 'ZOE' })).toEqual([second.id]);
    expect(await ids({ search: first.email.slice(0, 20) })).toEqual([first.id]);
    expect(await ids({ search: '.*' })).toEqual([]);
    expect(await ids({ status: 'suspended' })).toEqual([second.id]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([first.id]);
    const refused: Record<string, string>[] = [
      { limit: '0' },
      { limit: 'x' },
      { offset: '-1' },
      { status: 'gone' },
    ];
    for (const query of refused) expectStatus(await workspace.get(users, query), 400);
  });

  test('change field by field and keep a contact', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace, { metadata: { a: 1 } });
    const phone = phoneOf();
    const reply = await workspace.patch(`${users}/${user.id}`, {
      phone,
      email: null,
      status: 'active',
    });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({ ...user, phone, email: null, status: 'active' });
    expectStatus(await workspace.patch(`${users}/${user.id}`, { phone: null }), 400);
    expectStatus(await workspace.patch(`${users}/${user.id}`, { status: 'gone' }), 400);
    expectStatus(await workspace.post(users, { email: user.email }), 201);
  });

  test('of another workspace do not exist', async () => {
    const workspace = await newWorkspace();
    const { user } = await pairedUser(workspace);
    const stranger = await newWorkspace();
    const path = `${users}/${user.id}`;
    const replies = [
      await stranger.get(path),
      await stranger.patch(path, { first_name: 'x' }),
      await stranger.del(path),
      await stranger.post(`${path}/send-pairing-code`),
      await stranger.get(`${path}/sessions`),
      await stranger.del(`${path}/sessions/${randomUUID()}`),
      await workspace.get(`${users}/${randomUUID()}`),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
    expect(codeOf(replies[0]!)).toBe('RECORD_NOT_FOUND');
  });

  test('are made of members, each once', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const linkable = async () => (await workspace.get(':ws/linkable-users')).body.data;
    expect(await linkable()).toContainEqual({
      id: member.user.id,
      email: member.user.email,
      first_name: null,
      last_name: null,
    });
    const link = (id: string) =>
      workspace.post(`${users}/from-workspace-user`, { workspace_user_id: id });
    const reply = await link(member.user.id);
    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({
      linked_user_id: member.user.id,
      email: member.user.email,
      status: 'pending',
    });
    expect((await linkable()).map(({ id }: { id: string }) => id)).toEqual([workspace.owner.id]);
    expectStatus(await link(member.user.id), 409);
    const stranger = await newWorkspace();
    const foreign = await link(stranger.owner.id);
    expect([foreign.status, fieldOf(foreign)]).toEqual([400, 'workspace_user_id']);
  });
});

describe('pairing', () => {
  test('signs a device in with the code, once', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace);
    const sent = await sendCode(workspace, user.id);
    expect(sent.status).toBe(200);
    expect(sent.body).toEqual({
      message: expect.any(String),
      pairing_code_id: UUID,
      delivery_results: [],
      expires_at: ISO,
      code: expect.stringMatching(/^\d{6}$/),
    });
    const reply = await pair(user.email, sent.body.code, { device_name: 'Till' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires: 900_000,
      user: { ...user, status: 'paired', paired_at: ISO, last_login: ISO },
      workspace: { id: workspace.workspaceId, name: 'Coffee Corner', slug: workspace.slug },
    });
    const again = await pair(user.email, sent.body.code);
    expect([again.status, codeOf(again)]).toEqual([401, 'INVALID_CREDENTIALS']);
    const mine = await me(reply.body.data.access_token);
    expect(mine.status).toBe(200);
    expect(mine.body.data).toEqual({
      user: reply.body.data.user,
      workspace: reply.body.data.workspace,
      role: 'member',
      role_id: UUID,
      session: {
        id: UUID,
        mobile_app_user_id: user.id,
        workspace_id: workspace.workspaceId,
        device_name: 'Till',
        device_os: null,
        last_active_at: ISO,
        expires_at: ISO,
        revoked_at: null,
      },
    });
  });

  test('works by phone, and for one of many devices at once', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace, { phone: phoneOf() });
    const { code } = (await sendCode(workspace, user.id)).body;
    const spaced = user.phone.replace(/(\d{3})(?=\d)/g, '$1 ');
    const replies = await Promise.all([1, 2, 3, 4].map(() => pair(spaced, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('lets a code die after five wrong tries, however fast they come', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace);
    const { code } = (await sendCode(workspace, user.id)).body;
    await Promise.all([1, 2, 3, 4, 5].map(() => pair(user.email, wrong(code))));
    const reply = await pair(user.email, code);
    expect([reply.status, codeOf(reply)]).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('survives four wrong tries', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace);
    const { code } = (await sendCode(workspace, user.id)).body;
    for (let tries = 0; tries < 4; tries += 1) await pair(user.email, wrong(code));
    expectStatus(await pair(user.email, code), 200);
  });

  test('knows only the newest code', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace);
    const old = (await sendCode(workspace, user.id)).body.code;
    const { code } = (await sendCode(workspace, user.id)).body;
    if (old !== code) expectStatus(await pair(user.email, old), 401);
    expectStatus(await pair(user.email, code), 200);
  });

  test('settles by the code which workspace is meant', async () => {
    const email = uniqueEmail();
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    await addUser(one, { email });
    const user = await addUser(two, { email });
    const { code } = (await sendCode(two, user.id)).body;
    expect((await pair(email, code)).body.data.workspace.id).toBe(two.workspaceId);
  });

  test('answers an unknown identifier like a wrong code', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace);
    const { code } = (await sendCode(workspace, user.id)).body;
    const bad = await pair(user.email, wrong(code));
    const unknown = await pair(uniqueEmail(), code);
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual(bad.body);
    expectStatus(await call('POST', '/mobile-app/auth/pair', { body: { code } }), 400);
  });

  test('gives five codes an hour', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace);
    for (let count = 0; count < 5; count += 1)
      expectStatus(await sendCode(workspace, user.id), 200);
    const reply = await sendCode(workspace, user.id);
    expect([reply.status, codeOf(reply)]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3_000);
  });

  test('sends the code where it was asked to', async () => {
    const workspace = await newWorkspace();
    const user = await addUser(workspace, { phone: phoneOf() });
    const reply = await workspace.post(`${users}/${user.id}/send-pairing-code`, {});
    expect(reply.body.delivery_results).toEqual([{ channel: 'email', status: 'queued' }]);
    expect(reply.body).not.toHaveProperty('code');
    const code = /\b\d{6}\b/.exec(await mailTo(user.email))![0];
    expect(await mailsTo(user.phone)).toEqual([]);
    expectStatus(await pair(user.email, code), 200);
    expectStatus(await sendCode(workspace, user.id, 'both'), 200);
    await Promise.all([mailTo(user.email, 2), mailTo(user.phone)]);
  });

  test('needs the contact it sends to', async () => {
    const workspace = await newWorkspace();
    const byMail = await addUser(workspace);
    const byPhone = (await workspace.post(users, { phone: phoneOf() })).body.data;
    for (const [user, method] of [
      [byMail, 'sms'],
      [byMail, 'both'],
      [byPhone, 'email'],
      [byPhone, 'both'],
      [byPhone, 'pigeon'],
    ]) {
      expectStatus(await sendCode(workspace, user.id, method), 400);
    }
  });
});

describe('a mobile session', () => {
  test('rotates its tokens, and ends when a used one comes again', async () => {
    const workspace = await newWorkspace();
    const paired = await pairedUser(workspace);
    const refresh = (token: string) =>
      call('POST', '/mobile-app/auth/refresh', { body: { refresh_token: token } });
    const next = expectStatus(await refresh(paired.refresh_token), 200).body.data;
    expectStatus(await me(next.access_token), 200);
    expectStatus(await refresh(paired.refresh_token), 401);
    expectStatus(await refresh(next.refresh_token), 401);
    expectStatus(await me(next.access_token), 401);
  });

  test('ends on logout', async () => {
    const paired = await pairedUser(await newWorkspace());
    expectStatus(await me(paired.access_token), 200);
    const reply = await call('POST', '/mobile-app/auth/logout', {
      body: { refresh_token: paired.refresh_token },
    });
    expect(reply.status).toBe(200);
    const after = await me(paired.access_token);
    expect([after.status, codeOf(after)]).toEqual([401, 'INVALID_TOKEN']);
  });

  test('is listed, and revoked on the next request', async () => {
    const workspace = await newWorkspace();
    const { user, access_token } = await pairedUser(workspace);
    expectStatus(await me(access_token), 200);
    const path = `${users}/${user.id}/sessions`;
    const { data } = (await workspace.get(path)).body;
    expect(data).toEqual([
      expect.objectContaining({
        id: UUID,
        device_name: 'Till 1',
        device_os: 'Android 15',
        revoked_at: null,
      }),
    ]);
    const other = await addUser(workspace);
    expectStatus(await workspace.del(`${users}/${other.id}/sessions/${data[0].id}`), 404);
    expect((await workspace.del(`${path}/${data[0].id}`)).body).toEqual({
      message: expect.any(String),
    });
    expectStatus(await me(access_token), 401);
    expect((await workspace.get(path)).body.data).toEqual([]);
  });

  test('ends at once for a suspended or removed user', async () => {
    const workspace = await newWorkspace();
    const suspended = await pairedUser(workspace);
    expectStatus(await me(suspended.access_token), 200);
    await workspace.patch(`${users}/${suspended.user.id}`, { status: 'suspended' });
    expectStatus(await me(suspended.access_token), 401);
    const removed = await pairedUser(workspace);
    expectStatus(await me(removed.access_token), 200);
    expectStatus(await workspace.del(`${users}/${removed.user.id}`), 200);
    expectStatus(await me(removed.access_token), 401);
    expectStatus(await workspace.get(`${users}/${removed.user.id}`), 404);
  });

  test('has the role of the linked member, at once, and ends with the membership', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const { body } = await workspace.post(`${users}/from-workspace-user`, {
      workspace_user_id: member.user.id,
    });
    const { code } = (await sendCode(workspace, body.data.id)).body;
    const { access_token } = (await pair(member.user.email, code)).body.data;
    expect((await me(access_token)).body.data.role).toBe('member');
    await workspace.patch(`:ws/members/${member.user.id}/role`, { role: 'admin' });
    expect((await me(access_token)).body.data.role).toBe('admin');
    await workspace.del(`:ws/members/${member.user.id}`);
    expectStatus(await me(access_token), 401);
  });

  test('reads the settings of its own workspace, and no more', async () => {
    const workspace = await newWorkspace();
    const { access_token } = await pairedUser(workspace);
    const headers = { 'X-Mobile-Token': access_token };
    const path = `/workspace/${workspace.workspaceId}/settings`;
    const reply = expectStatus(await call('GET', path, { headers }), 200);
    expect(reply.body.data.workspace_id).toBe(workspace.workspaceId);
    const other = await newWorkspace();
    expectStatus(await call('GET', `/workspace/${other.workspaceId}/settings`, { headers }), 403);
    expectStatus(await call('PATCH', path, { headers, body: { default_locale: 'de' } }), 403);
    expectStatus(
      await call('GET', `/workspace/${workspace.workspaceId}/members`, { headers }),
      403,
    );
    expectStatus(await call('GET', '/user/me', { token: access_token }), 401);
  });

  test('is not opened by other tokens', async () => {
    const workspace = await newWorkspace();
    expectStatus(await me(workspace.token), 401);
    expectStatus(await me('nonsense'), 401);
    expectStatus(await call('GET', '/mobile-app/me'), 403);
  });
});
