import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, callerFor, gateways } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWalletType,
  newWorkspace,
  type SignedInUser,
  uniqueEmail,
} from './support/factories';
import { codeOf, ISO, UUID } from './support/replies';

const create = (user: SignedInUser, body: unknown) =>
  call('POST', '/workspaces', { token: user.token, body });
const slugOf = () => `shop-${randomUUID().slice(0, 8)}`;

describe('opening a workspace', () => {
  test('makes the caller its admin and creator', async () => {
    const user = await newUser();
    const slug = slugOf();
    const reply = await create(user, {
      name: 'Café Łódź',
      slug,
      default_currency: 'pln',
      default_locale: 'pl',
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ data: { id: UUID, name: 'Café Łódź', slug, date_created: ISO } });
    const workspace = callerFor(user.token, reply.body.data.id);
    expect((await workspace.get(':ws')).body.data).toEqual({ ...reply.body.data, timezone: 'UTC' });
    const list = await call('GET', '/workspaces', { token: user.token });
    expect(list.body).toEqual({ data: [{ ...reply.body.data, role: 'admin' }] });
    expect((await workspace.get(`:ws/members/${user.id}/role`)).body).toEqual({
      role: 'admin',
      role_id: UUID,
      is_creator: true,
    });
    expect((await workspace.get(':ws/settings')).body.data).toMatchObject({
      default_currency: 'PLN',
      default_locale: 'pl',
    });
  });

  test('makes a slug from the name, again and again', async () => {
    const user = await newUser();
    const name = `Łódka ${randomUUID().slice(0, 6)}`;
    const slugs = [];
    for (let time = 0; time < 3; time += 1)
      slugs.push(expectStatus(await create(user, { name }), 201).body.data.slug);
    expect(new Set(slugs).size).toBe(3);
    for (const slug of slugs) expect(slug).toMatch(/^lodka-[a-z0-9-]{3,60}$/);
    const odd = expectStatus(await create(user, { name: '北' }), 201).body.data.slug;
    expect(odd).toMatch(/^[a-z0-9-]{3,63}$/);
  });

  test('gives a slug to one of many who ask for it at once', async () => {
    const user = await newUser();
    const slug = slugOf();
    const replies = await Promise.all([1, 2, 3, 4].map(() => create(user, { name: 'Shop', slug })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(codeOf(replies.find(({ status }) => status === 409)!)).toBe('CONFLICT');
  });

  test('happens once under an Idempotency-Key', async () => {
    const user = await newUser();
    const headers = { 'Idempotency-Key': randomUUID() };
    const once = () =>
      call('POST', '/workspaces', { token: user.token, body: { name: 'Once' }, headers });
    const first = expectStatus(await once(), 201);
    const second = expectStatus(await once(), 201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await call('GET', '/workspaces', { token: user.token })).body.data).toHaveLength(1);
  });

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x'.repeat(256) }],
    [{ name: 'Shop', slug: 'ab' }],
    [{ name: 'Shop', slug: 'Upper' }],
    [{ name: 'Shop', default_currency: 'ZZZ' }],
    [{ name: 'Shop', default_currency: 'EURO' }],
    [{ name: 'Shop', default_locale: 'x' }],
    [{ name: 'Shop', owner: 'me' }],
  ])('refuses %j', async (body) => {
    const reply = await create(await newUser(), body);
    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe('INVALID_PAYLOAD');
  });
});

describe('a workspace', () => {
  test('is renamed by an admin', async () => {
    const workspace = await newWorkspace();
    const slug = slugOf();
    const reply = expectStatus(await workspace.patch(':ws', { name: 'New', slug }), 200);
    expect(reply.body.data).toMatchObject({ id: workspace.workspaceId, name: 'New', slug });
    const other = await newWorkspace();
    expectStatus(await other.patch(':ws', { slug }), 409);
    expectStatus(await workspace.patch(':ws', { name: null }), 400);
  });

  test('is closed to strangers and to those without a permission', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const stranger = callerFor((await newUser()).token, workspace.workspaceId);
    for (const path of [
      ':ws',
      ':ws/roles',
      ':ws/settings',
      ':ws/members',
      ':ws/invitations',
      ':ws/audit-log',
    ]) {
      const reply = await stranger.get(path);
      expect([path, reply.status, codeOf(reply)]).toEqual([path, 403, 'FORBIDDEN']);
    }
    const owner = workspace.owner.id;
    const refused = [
      await member.patch(':ws', { name: 'Mine' }),
      await member.patch(':ws/settings', { default_locale: 'de' }),
      await member.post(':ws/members', { user_id: owner }),
      await member.del(`:ws/members/${owner}`),
      await member.patch(`:ws/members/${owner}/role`, { role: 'member' }),
      await member.get(':ws/audit-log'),
      await member.del(':ws', { confirm_slug: workspace.slug }),
      await call('POST', '/invite', {
        token: member.token,
        body: { email: uniqueEmail(), workspace_id: workspace.workspaceId },
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    for (const path of [':ws', ':ws/roles', ':ws/settings', ':ws/members', ':ws/invitations'])
      expectStatus(await member.get(path), 200);
  });

  test('that does not exist is forbidden, a malformed id is 400', async () => {
    const { token } = await newUser();
    expectStatus(await callerFor(token, randomUUID()).get(':ws'), 403);
    expectStatus(await callerFor(token, 'not-an-id').get(':ws'), 400);
  });

  test('lists its two roles under ids that stay the same', async () => {
    const workspace = await newWorkspace();
    const { body } = expectStatus(await workspace.get(':ws/roles'), 200);
    expect(body.data).toEqual([
      {
        id: UUID,
        name: 'admin',
        permissions: expect.arrayContaining(['manage_members', 'invite_users', 'remove_members']),
      },
      { id: UUID, name: 'member', permissions: expect.any(Array) },
    ]);
    expect(body.data[1].permissions).not.toContain('manage_members');
    expect((await workspace.get(':ws/roles')).body).toEqual(body);
    const member = await newMember(workspace);
    const role = (await workspace.get(`:ws/members/${member.user.id}/role`)).body;
    expect(role).toEqual({ role: 'member', role_id: body.data[1].id, is_creator: false });
    const other = (await (await newWorkspace()).get(':ws/roles')).body.data;
    expect(other[0].id).not.toBe(body.data[0].id);
  });

  test('is deleted by its creator alone, with its slug, and is forbidden afterwards', async () => {
    const workspace = await newWorkspace();
    const admin = await newMember(workspace, 'admin');
    expectStatus(await admin.del(':ws', { confirm_slug: workspace.slug }), 403);
    expectStatus(await workspace.del(':ws', { confirm_slug: 'something-else' }), 400);
    expectStatus(await workspace.del(':ws', {}), 400);
    const reply = expectStatus(await workspace.del(':ws', { confirm_slug: workspace.slug }), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expectStatus(await workspace.get(':ws'), 403);
    expectStatus(await admin.get(':ws/members'), 403);
    expect((await call('GET', '/workspaces', { token: workspace.token })).body.data).toEqual([]);
    expectStatus(await create(workspace.owner, { name: 'Again', slug: workspace.slug }), 201);
  });
});

describe('settings', () => {
  test('start as USD and en, and change field by field', async () => {
    const workspace = await newWorkspace();
    const first = expectStatus(await workspace.get(':ws/settings'), 200).body;
    expect(first).toEqual({
      data: {
        id: UUID,
        workspace_id: workspace.workspaceId,
        default_currency: 'USD',
        default_locale: 'en',
        timezone: 'UTC',
        date_created: ISO,
        date_updated: ISO,
      },
    });
    const reply = expectStatus(
      await workspace.patch(':ws/settings', { default_currency: 'eur' }),
      200,
    );
    expect(reply.body.data).toMatchObject({
      id: first.data.id,
      default_currency: 'EUR',
      default_locale: 'en',
    });
    expectStatus(await workspace.patch(':ws/settings', { default_locale: 'pl-PL' }), 200);
    expect((await workspace.get(':ws/settings')).body.data).toMatchObject({
      default_currency: 'EUR',
      default_locale: 'pl-PL',
    });
  });

  test('name the time zone of the workspace, which everybody who reads it sees', async () => {
    const workspace = await newWorkspace();
    const reply = await workspace.patch(':ws/settings', { timezone: 'europe/berlin' });
    expect(expectStatus(reply, 200).body.data.timezone).toBe('Europe/Berlin');
    expectStatus(await workspace.patch(':ws/settings', { default_locale: 'de' }), 200);
    expect((await workspace.get(':ws/settings')).body.data.timezone).toBe('Europe/Berlin');
    expect((await workspace.get(':ws')).body.data.timezone).toBe('Europe/Berlin');
  });

  test.each([
    [{ timezone: 'Mars/Olympus' }],
    [{ timezone: '+02:00' }],
    [{ timezone: '' }],
    [{ timezone: null }],
    [{ default_currency: 'EU' }],
    [{ default_currency: 'E1R' }],
    [{ default_currency: null }],
    [{ default_locale: 'e' }],
    [{ default_locale: 'en-US-posix' }],
    [{ time_zone: 'UTC' }],
  ])('refuse %j', async (body) => {
    expectStatus(await (await newWorkspace()).patch(':ws/settings', body), 400);
  });
});

describe('members', () => {
  test('are listed with what they are', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    await member.get(':ws');
    const { body } = expectStatus(await workspace.get(':ws/members'), 200);
    expect(body).toEqual({
      members: [
        expect.objectContaining({ id: workspace.owner.id, role: 'admin' }),
        {
          id: member.user.id,
          email: member.user.email,
          first_name: null,
          last_name: null,
          role: 'member',
          status: 'active',
          joined_at: ISO,
          last_active: ISO,
        },
      ],
    });
  });

  test('are added once; adding again changes nothing', async () => {
    const workspace = await newWorkspace();
    const user = await newUser();
    const add = (body: object) => workspace.post(':ws/members', { user_id: user.id, ...body });
    const first = await add({ role: 'admin' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      message: expect.any(String),
      member: { user_id: user.id, role: 'admin' },
      already_member: false,
    });
    const again = await add({});
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ member: { role: 'admin' }, already_member: true });
    expectStatus(await workspace.post(':ws/members', { user_id: randomUUID() }), 400);
    expectStatus(await workspace.post(':ws/members', { user_id: 'nobody' }), 400);
    expectStatus(await add({ role: 'owner' }), 400);
  });

  test('are added once by many at once', async () => {
    const workspace = await newWorkspace();
    const user = await newUser();
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => workspace.post(':ws/members', { user_id: user.id })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  });

  test('lose access on the next request when they are removed', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    expectStatus(await member.get(':ws'), 200);
    const reply = expectStatus(await workspace.del(`:ws/members/${member.user.id}`), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expectStatus(await member.get(':ws'), 403);
    expectStatus(await workspace.del(`:ws/members/${member.user.id}`), 404);
    expectStatus(await workspace.get(`:ws/members/${member.user.id}/role`), 404);
  });

  test('gain and lose rights on the next request with their role', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const path = `:ws/members/${member.user.id}/role`;
    expectStatus(await member.get(':ws/audit-log'), 403);
    const reply = expectStatus(await workspace.patch(path, { role: 'admin' }), 200);
    expect(reply.body).toEqual({ message: expect.any(String), role: 'admin' });
    expectStatus(await member.get(':ws/audit-log'), 200);
    expectStatus(await workspace.patch(path, { role: 'member' }), 200);
    expectStatus(await member.get(':ws/audit-log'), 403);
  });

  test('cannot remove or change themselves, nor remove the creator', async () => {
    const workspace = await newWorkspace();
    const admin = await newMember(workspace, 'admin');
    const self = `:ws/members/${workspace.owner.id}`;
    const refused = [
      await workspace.del(self),
      await workspace.patch(`${self}/role`, { role: 'member' }),
      await admin.del(self),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(refused.map(codeOf)).toEqual(['INVALID_PAYLOAD', 'INVALID_PAYLOAD', 'INVALID_PAYLOAD']);
  });

  test('leave at least one admin when two demote each other at once', async () => {
    const workspace = await newWorkspace();
    const admin = await newMember(workspace, 'admin');
    await Promise.all([
      workspace.patch(`:ws/members/${admin.user.id}/role`, { role: 'member' }),
      admin.patch(`:ws/members/${workspace.owner.id}/role`, { role: 'member' }),
    ]);
    const { members } = (await workspace.get(':ws/members')).body;
    expect(members.filter(({ role }: { role: string }) => role === 'admin').length).toBeGreaterThan(
      0,
    );
  });

  test('of another workspace are not there', async () => {
    const workspace = await newWorkspace();
    const other = await newWorkspace();
    expectStatus(await workspace.get(`:ws/members/${other.owner.id}/role`), 404);
    expectStatus(
      await workspace.patch(`:ws/members/${other.owner.id}/role`, { role: 'admin' }),
      404,
    );
    expectStatus(await workspace.del(`:ws/members/${other.owner.id}`), 404);
  });
});

describe('the audit log', () => {
  type Entry = { action: string; at: string; id: string };
  const entries = (
    workspace: Awaited<ReturnType<typeof newWorkspace>>,
    count: number,
    query = {},
  ) =>
    until(async () => {
      const { body } = expectStatus(await workspace.get(':ws/audit-log', query), 200);
      return body.data.length >= count
        ? (body as { data: Entry[]; meta: { next_cursor: string } })
        : null;
    });

  test('tells who changed what, by name and never by value', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    await workspace.patch(':ws/settings', { default_locale: 'pl' });
    const { data } = await entries(workspace, 3);
    expect(data[0]).toEqual({
      id: UUID,
      actor: { type: 'user', id: workspace.owner.id, email: workspace.owner.email },
      action: 'settings.update',
      entity: 'setting',
      entity_id: expect.anything(),
      request_id: expect.any(String),
      at: ISO,
      changes: ['default_locale'],
    });
    expect(data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['members.create', 'workspaces.create']),
    );
    expect(JSON.stringify(data)).not.toContain(member.user.email);
  });

  test('tells besides, where that is asked for, from what to what the configuration was changed, and whose it was', async () => {
    const workspace = await newWorkspace();
    await newWalletType(workspace, { code: 'beans' });
    const { id } = await newClient(workspace, { first_name: 'Ann', last_name: 'Lee' });
    const points = { client_id: id, amount: 5, wallet_type_code: 'beans', description: 'x' };
    expectStatus(await workspace.post(':ws/loyalty/points/adjust', points), 201);
    expectStatus(await workspace.patch(`:ws/clients/${id}`, { first_name: 'Anna' }), 200);
    const settings = { default_locale: 'pl', reply_to: 'shop@shop.example' };
    expectStatus(await workspace.patch(':ws/settings', settings), 200);
    const path = ':ws/audit-log?expand=client&expand=values&limit=3';
    const { body } = expectStatus(await workspace.get(path), 200);
    const client = expect.objectContaining({ id, first_name: 'Anna' });
    expect(body.data).toEqual([
      expect.objectContaining({
        action: 'settings.update',
        client: null,
        values: [{ name: 'default_locale', from: expect.any(String), to: 'pl' }],
      }),
      expect.objectContaining({ action: 'clients.update', client, values: [] }),
      expect.objectContaining({ action: 'points.adjust', client, values: [] }),
    ]);
    expect(
      JSON.stringify(body.data.map(({ values }: { values: unknown }) => values)),
    ).not.toContain('shop.example');
  });

  test('shows a change to the one who made it and looks at once, at the same gateway', async () => {
    const { owner, ...created } = await newWorkspace();
    const through = callerFor(owner.token, created.workspaceId, gateways()[0]);
    const workspace = { ...created, ...through, owner };
    const member = await newMember(workspace);
    const { body } = expectStatus(await workspace.get(':ws/audit-log', { entity: 'member' }), 200);
    expect(body.data).toEqual([
      expect.objectContaining({ action: 'members.create', entity_id: member.user.id }),
    ]);
    expectStatus(
      await workspace.patch(`:ws/members/${member.user.id}/role`, { role: 'admin' }),
      200,
    );
    expect((await workspace.get(':ws/audit-log', { limit: 1 })).body.data).toEqual([
      expect.objectContaining({ action: 'members.update', entity_id: member.user.id }),
    ]);
  });

  test('filters, and goes on from page to page', async () => {
    const workspace = await newWorkspace();
    for (const locale of ['de', 'fr', 'it', 'pl', 'es'])
      expectStatus(await workspace.patch(':ws/settings', { default_locale: locale }), 200);
    await entries(workspace, 5, { action: 'settings.update' });
    const first = await entries(workspace, 2, { action: 'settings.update', limit: 2 });
    const second = await entries(workspace, 2, {
      action: 'settings.update',
      limit: 2,
      cursor: first.meta.next_cursor,
    });
    const third = await entries(workspace, 1, {
      action: 'settings.update',
      limit: 2,
      cursor: second.meta.next_cursor,
    });
    const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(5);
    expect(third.meta.next_cursor).toBeNull();
    const none = await workspace.get(':ws/audit-log', { actor_id: randomUUID() });
    expect(none.body.data).toEqual([]);
    expect((await workspace.get(':ws/audit-log', { to_date: '2020-01-01' })).body.data).toEqual([]);
    const refused: Record<string, string>[] = [
      { limit: '0' },
      { limit: '201' },
      { cursor: 'made-up' },
      { from_date: 'today' },
    ];
    for (const query of refused) expectStatus(await workspace.get(':ws/audit-log', query), 400);
  });
});
