import { randomUUID } from 'node:crypto';
import {
  expectStatus,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { newAction, newApp, newDevice, newProject, rolesOf } from './support/mobile';
import { problemOf, UUID } from './support/replies';

const config = ':ws/mobile-app-config';
const long = (length: number) => 'x'.repeat(length);

async function newTier(workspace: TestWorkspace, kind: string) {
  await workspace.post(':ws/tiers/set', { name: 'Club' });
  const reply = await workspace.post(':ws/tiers', { name: kind, kind, condition_values: {} });
  return expectStatus(reply, 201).body.data.id as string;
}

async function newReward(workspace: TestWorkspace) {
  const reply = await workspace.post(':ws/rewards', { name: 'Cup', cost_in_points: 0 });
  return expectStatus(reply, 200).body.data;
}

let sharing: Promise<{ without: TestWorkspace; withApp: TestWorkspace }> | undefined;

/** Two workspaces for tests that leave nothing behind: one that never gets an app, and one that has one. */
function shared() {
  sharing ??= (async () => {
    const [without, withApp] = await Promise.all([newWorkspace(), newWorkspace()]);
    await newApp(withApp);
    return { without, withApp };
  })();
  return sharing;
}

describe('the config of the staff app', () => {
  test('is null at first, then there with four actions, once', async () => {
    const workspace = await newWorkspace();
    expect((await workspace.get(config)).body).toEqual({ data: null });
    const created = await workspace.post(config);
    expect(created.status).toBe(201);
    const action = (name: string, action_type: string, sort_order: number) => ({
      id: UUID,
      mobile_app_config_id: created.body.data.id,
      name,
      action_type,
      description: null,
      icon: null,
      action_config: {},
      form_fields: [],
      is_enabled: true,
      sort_order,
      allowed_role_ids: null,
    });
    expect(created.body.data).toEqual({
      id: UUID,
      workspace_id: workspace.workspaceId,
      is_enabled: true,
      project_ids: null,
      allowed_role_ids: null,
      hidden_fields: null,
      app_config: {},
      actions: [
        action('Add points', 'add_points', 0),
        action('Remove points', 'remove_points', 1),
        action('Redeem reward', 'redeem_reward', 2),
        action('Update client data', 'update_client_data', 3),
      ],
    });
    expect((await workspace.get(config)).body).toEqual(created.body);
    expect(problemOf(await workspace.post(config))).toEqual([400, 'INVALID_PAYLOAD', undefined]);
  });

  test('comes into being once, however many ask at the same moment', async () => {
    const workspace = await newWorkspace();
    const replies = await Promise.all([1, 2, 3, 4].map(() => workspace.post(config)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect((await workspace.get(config)).body.data.actions).toHaveLength(4);
  });

  test('keeps what it is given, and changes only in what is sent', async () => {
    const workspace = await newWorkspace();
    const [project, [admin]] = [await newProject(workspace), await rolesOf(workspace)];
    const fields = {
      is_enabled: false,
      project_ids: [project],
      allowed_role_ids: [admin!.id],
      hidden_fields: ['vat_number'],
      app_config: {
        primary_color: '#112233',
        logo_url: 'https://shop.example/logo.png',
        welcome_message: 'Hello',
        enable_pass_history: false,
      },
    };
    const created = (await workspace.post(config, fields)).body.data;
    expect(created).toMatchObject(fields);
    const enabled = await workspace.patch(config, { is_enabled: true });
    expect(enabled.status).toBe(200);
    expect(enabled.body.data).toEqual({ ...created, is_enabled: true });
    const nulls = { project_ids: null, allowed_role_ids: null, hidden_fields: null };
    const opened = await workspace.patch(config, nulls);
    expect(opened.body.data).toEqual({ ...created, is_enabled: true, ...nulls });
    const bare = await workspace.patch(config, { app_config: {} });
    expect(bare.body.data.app_config).toEqual({});
  });

  test.each([
    [{ is_enabled: 'yes' }, 'is_enabled'],
    [{ project_ids: ['x'] }, 'project_ids.0'],
    [{ project_ids: [randomUUID()] }, 'project_ids.0'],
    [{ allowed_role_ids: [randomUUID()] }, 'allowed_role_ids.0'],
    [{ hidden_fields: 'email' }, 'hidden_fields'],
    [{ hidden_fields: [1] }, 'hidden_fields.0'],
    [{ app_config: null }, 'app_config'],
    [{ app_config: { primary_color: 1 } }, 'app_config.primary_color'],
    [{ app_config: { logo_url: 'logo' } }, 'app_config.logo_url'],
    [{ app_config: { welcome_message: long(501) } }, 'app_config.welcome_message'],
    [{ app_config: { enable_pass_history: 1 } }, 'app_config.enable_pass_history'],
    [{ app_config: { theme: 'dark' } }, 'app_config.theme'],
    [{ actions: [] }, 'actions'],
  ])('is refused with %p', async (fields, field) => {
    const { without, withApp } = await shared();
    const refusal = [400, 'INVALID_PAYLOAD', field];
    expect(problemOf(await without.post(config, fields))).toEqual(refusal);
    expect(problemOf(await withApp.patch(config, fields))).toEqual(refusal);
  });

  test('names projects and roles of its own workspace only', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const [project, [role]] = [await newProject(other), await rolesOf(other)];
    for (const [fields, field] of [
      [{ project_ids: [project] }, 'project_ids.0'],
      [{ allowed_role_ids: [role!.id] }, 'allowed_role_ids.0'],
    ] as const)
      expect(problemOf(await workspace.post(config, fields))[2]).toBe(field);
  });

  test('goes with its actions, and can be made anew', async () => {
    const workspace = await newWorkspace();
    const first = await newApp(workspace);
    const deleted = await workspace.del(config);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await workspace.get(config)).body).toEqual({ data: null });
    const action = `/mobile-app-actions/${first.actions[0]!.id}`;
    expectStatus(await workspace.patch(action, { name: 'x' }), 404);
    for (const reply of [await workspace.del(config), await workspace.patch(config, {})])
      expect(problemOf(reply)).toEqual([404, 'RECORD_NOT_FOUND', undefined]);
    const second = await newApp(workspace);
    expect(second.id).not.toBe(first.id);
    expect(second.actions).toHaveLength(4);
  });

  test('is for members of the workspace', async () => {
    const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
    await newApp(workspace);
    const foreign = config.replace(':ws', `/workspace/${workspace.workspaceId}`);
    for (const reply of [
      await stranger.get(foreign),
      await stranger.post(foreign),
      await stranger.patch(foreign, { is_enabled: false }),
      await stranger.del(foreign),
      await stranger.post(`${foreign}/actions`, { name: 'x', action_type: 'add_points' }),
      await stranger.post(`${foreign}/actions/reorder`, { action_ids: [] }),
    ])
      expect(problemOf(reply)).toEqual([403, 'FORBIDDEN', undefined]);
    const member = await newMember(workspace);
    expectStatus(await member.patch(config, { is_enabled: false }), 200);
  });
});

describe('switching the app off', () => {
  test('and a role taken away count on the next request', async () => {
    const workspace = await newWorkspace();
    const [admin, member] = await rolesOf(workspace);
    await newApp(workspace);
    const device = await newDevice(workspace);
    const ask = async () => (await device.get('/mobile-app/me')).status;
    expect(await ask()).toBe(200);
    expectStatus(await workspace.patch(config, { is_enabled: false }), 200);
    expect(problemOf(await device.get('/mobile-app/me')).slice(0, 2)).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
    expect(await device.get(':ws/mobile-app')).toMatchObject({ status: 200, body: { data: null } });
    const search = await device.get('/mobile-app/passes/search', { q: 'a' });
    expect(problemOf(search).slice(0, 2)).toEqual([401, 'INVALID_TOKEN']);
    expectStatus(await workspace.patch(config, { is_enabled: true }), 200);
    expect(await ask()).toBe(200);
    expectStatus(await workspace.patch(config, { allowed_role_ids: [admin!.id] }), 200);
    for (const path of ['/mobile-app/me', ':ws/mobile-app'])
      expect(problemOf(await device.get(path)).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
    const both = [admin!.id, member!.id];
    expectStatus(await workspace.patch(config, { allowed_role_ids: both }), 200);
    expect(await ask()).toBe(200);
    expectStatus(await workspace.patch(config, { allowed_role_ids: [] }), 200);
    expect(await ask()).toBe(403);
    expectStatus(await workspace.del(config), 204);
    expect(await ask()).toBe(200);
  });

  test('again and again ends with what was decided last', async () => {
    const workspace = await newWorkspace();
    await newApp(workspace);
    const device = await newDevice(workspace);
    for (const is_enabled of [false, true, false, true, false]) {
      expectStatus(await workspace.patch(config, { is_enabled }), 200);
      expect((await device.get('/mobile-app/me')).status).toBe(is_enabled ? 200 : 401);
    }
    expectStatus(await workspace.del(config), 204);
    await newApp(workspace, { is_enabled: false });
    expect((await device.get('/mobile-app/me')).status).toBe(401);
  });
});

describe('actions', () => {
  const FIELDS = {
    name: 'Bonus',
    action_type: 'add_points',
    description: 'For regulars',
    icon: 'star',
    form_fields: [
      {
        name: 'reason',
        label: 'Reason',
        type: 'select',
        required: true,
        placeholder: 'Why?',
        default_value: 'late',
        options: ['late', { value: 'cold', label: 'Cold coffee' }],
        validation: { max_length: 20, 'a.b': { $c: 1 } },
      },
    ],
    is_enabled: false,
  };

  test('are added behind the others, with all that they are given', async () => {
    const workspace = await newWorkspace();
    const { code } = await newWalletType(workspace);
    const app = await newApp(workspace);
    const [admin] = await rolesOf(workspace);
    const fields = {
      ...FIELDS,
      allowed_role_ids: [admin!.id],
      action_config: {
        wallet_type_codes: [code],
        default_points: 5,
        max_points: 20.5,
        default_note: 'Thanks',
      },
    };
    const reply = await workspace.post(`${config}/actions`, fields);
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: UUID,
      mobile_app_config_id: app.id,
      ...fields,
      sort_order: 4,
    });
    const first = await newAction(workspace, { action_type: 'add_points', sort_order: 0 });
    expect(first).toMatchObject({ description: null, icon: null, allowed_role_ids: null });
    const { actions } = (await workspace.get(config)).body.data;
    expect(actions.map(({ sort_order }: { sort_order: number }) => sort_order)).toEqual([
      0, 0, 1, 2, 3, 4,
    ]);
    expect(actions[5]).toEqual(reply.body.data);
  });

  test.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ action_type: undefined }, 'action_type'],
    [{ action_type: 'give_coffee' }, 'action_type'],
    [{ description: long(1_001) }, 'description'],
    [{ icon: long(101) }, 'icon'],
    [{ sort_order: -1 }, 'sort_order'],
    [{ allowed_role_ids: [randomUUID()] }, 'allowed_role_ids.0'],
    [{ form_fields: [{ name: 'a', label: 'A' }] }, 'form_fields.0.type'],
    [{ form_fields: [{ name: 'a', label: 'A', type: 'colour' }] }, 'form_fields.0.type'],
    [{ form_fields: [{ name: 'a', type: 'text' }] }, 'form_fields.0.label'],
    [{ mobile_app_config_id: randomUUID() }, 'mobile_app_config_id'],
    [{ action_config: { colour: 1 } }, 'action_config.colour'],
    [{ action_config: { default_points: -1 } }, 'action_config.default_points'],
    [{ action_config: { max_points: 0 } }, 'action_config.max_points'],
    [{ action_config: { default_note: 1 } }, 'action_config.default_note'],
    [{ action_config: { wallet_type_codes: ['nope'] } }, 'action_config.wallet_type_codes.0'],
    [
      { action_type: 'add_transaction', action_config: { default_amount: -1 } },
      'action_config.default_amount',
    ],
    [
      { action_type: 'add_transaction', action_config: { require_description: 1 } },
      'action_config.require_description',
    ],
    [
      { action_type: 'add_transaction', action_config: { transaction_type: 1 } },
      'action_config.transaction_type',
    ],
    [
      { action_type: 'update_client_data', action_config: { allowed_fields: 'email' } },
      'action_config.allowed_fields',
    ],
    [
      { action_type: 'update_client_data', action_config: { max_points: 1 } },
      'action_config.max_points',
    ],
  ])('are refused with %p', async (fields, field) => {
    const { withApp } = await shared();
    const body = { name: 'Bonus', action_type: 'add_points', ...fields };
    const refusal = [400, 'INVALID_PAYLOAD', field];
    expect(problemOf(await withApp.post(`${config}/actions`, body))).toEqual(refusal);
  });

  test('need a config', async () => {
    const workspace = await newWorkspace();
    const body = { name: 'Bonus', action_type: 'add_points' };
    expectStatus(await workspace.post(`${config}/actions`, body), 404);
    expectStatus(await workspace.post(`${config}/actions/reorder`, { action_ids: [] }), 404);
  });

  test.each(['redeem_reward', 'grant_reward'] as const)(
    '%s needs an active reward',
    async (action_type) => {
      const workspace = await newWorkspace();
      await newApp(workspace);
      const body = { name: 'Gift', action_type };
      const refusal = [400, 'INVALID_PAYLOAD', 'action_type'];
      expect(problemOf(await workspace.post(`${config}/actions`, body))).toEqual(refusal);
      const reward = await newReward(workspace);
      expectStatus(await workspace.patch(`:ws/rewards/${reward.id}`, { active: false }), 200);
      expect(problemOf(await workspace.post(`${config}/actions`, body))).toEqual(refusal);
      expectStatus(await workspace.patch(`:ws/rewards/${reward.id}`, { active: true }), 200);
      const action = await newAction(workspace, body);
      expect(action.action_config).toEqual({});
      const odd = { ...body, action_config: { default_points: 1 } };
      expectStatus(await workspace.post(`${config}/actions`, odd), 400);
    },
  );

  test('change_tier needs an exclusive tier, and excludes only tiers of the workspace', async () => {
    const workspace = await newWorkspace();
    await newApp(workspace);
    const body = { name: 'Tier', action_type: 'change_tier' } as const;
    const send = async (action_config: object) =>
      problemOf(await workspace.post(`${config}/actions`, { ...body, action_config }))[2];
    expect(await send({})).toBe('action_type');
    await newTier(workspace, 'auto');
    expect(await send({})).toBe('action_type');
    const exclusive = await newTier(workspace, 'exclusive');
    const foreign = await newTier(await newWorkspace(), 'exclusive');
    const list = 'action_config.excluded_tier_ids';
    expect(await send({ excluded_tier_ids: [foreign] })).toBe(`${list}.0`);
    expect(await send({ excluded_tier_ids: [exclusive, randomUUID()] })).toBe(`${list}.1`);
    expect(await send({ default_duration_days: 3_651 })).toBe(
      'action_config.default_duration_days',
    );
    expect(await send({ default_duration_days: 0 })).toBe('action_config.default_duration_days');
    const action_config = {
      excluded_tier_ids: [exclusive],
      allow_duration: true,
      default_duration_days: null,
    };
    expect((await newAction(workspace, { ...body, action_config })).action_config).toEqual(
      action_config,
    );
  });

  test('change field by field, their config with their type', async () => {
    const workspace = await newWorkspace();
    const app = await newApp(workspace);
    const path = `/mobile-app-actions/${app.actions[0]!.id}`;
    const change = async (body: object) => workspace.patch(path, body);
    const limited = await change({ action_config: { max_points: 9 }, icon: 'plus', name: 'More' });
    expect(limited.status).toBe(200);
    expect(limited.body.data).toEqual({
      ...app.actions[0],
      action_config: { max_points: 9 },
      icon: 'plus',
      name: 'More',
    });
    const described = await change({ icon: null, description: 'x', allowed_role_ids: null });
    expect(described.body.data).toMatchObject({ icon: null, description: 'x', name: 'More' });
    const refusal = [400, 'INVALID_PAYLOAD', 'action_config.max_points'];
    expect(problemOf(await change({ action_type: 'add_transaction' }))).toEqual(refusal);
    const fitting = { action_type: 'add_transaction', action_config: { default_amount: 3 } };
    expect((await change(fitting)).body.data).toMatchObject(fitting);
    expect(problemOf(await change({ action_config: { max_points: 9 } }))).toEqual(refusal);
    const means = await change({ action_type: 'grant_reward', action_config: {} });
    expect(problemOf(means)).toEqual([400, 'INVALID_PAYLOAD', 'action_type']);
    for (const [body, field] of [
      [{ name: null }, 'name'],
      [{ allowed_role_ids: [randomUUID()] }, 'allowed_role_ids.0'],
      [{ unknown: 1 }, 'unknown'],
    ] as const)
      expect(problemOf(await change(body))[2]).toBe(field);
    const redeem = `/mobile-app-actions/${app.actions[2]!.id}`;
    expectStatus(await workspace.patch(redeem, { name: 'Cash in' }), 200);
  });

  test('are put into order, each named once', async () => {
    const workspace = await newWorkspace();
    const app = await newApp(workspace);
    const ids: string[] = app.actions.map(({ id }: { id: string }) => id).reverse();
    const reorder = (action_ids: unknown) =>
      workspace.post(`${config}/actions/reorder`, { action_ids });
    const reply = await reorder(ids);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(ids.map((id, sort_order) => ({ id, sort_order })));
    const { actions } = (await workspace.get(config)).body.data;
    expect(actions.map(({ id }: { id: string }) => id)).toEqual(ids);
    for (const wrong of [
      [],
      ids.slice(1),
      [...ids, randomUUID()],
      [ids[0], ids[0], ids[1], ids[2]],
    ])
      expect(problemOf(await reorder(wrong))).toEqual([400, 'INVALID_PAYLOAD', 'action_ids']);
    expectStatus(await reorder(undefined), 400);
  });

  test('added at the same moment all stay, each in a place of its own', async () => {
    const workspace = await newWorkspace();
    await newApp(workspace);
    const body = { action_type: 'add_points' } as const;
    const added = await Promise.all([1, 2, 3, 4, 5].map(() => newAction(workspace, body)));
    expect(added.map(({ sort_order }) => sort_order).sort()).toEqual([4, 5, 6, 7, 8]);
    expect((await workspace.get(config)).body.data.actions).toHaveLength(9);
  });

  test('are deleted, once', async () => {
    const workspace = await newWorkspace();
    const app = await newApp(workspace);
    const path = `/mobile-app-actions/${app.actions[1]!.id}`;
    const reply = await workspace.del(path);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expectStatus(await workspace.del(path), 404);
    expect((await workspace.get(config)).body.data.actions).toHaveLength(3);
  });

  test('of another workspace do not exist', async () => {
    const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
    const app = await newApp(workspace);
    await newApp(stranger);
    const path = `/mobile-app-actions/${app.actions[0]!.id}`;
    const unknown = await stranger.patch(`/mobile-app-actions/${randomUUID()}`, { name: 'x' });
    const foreign = await stranger.patch(path, { name: 'x' });
    expect(problemOf(unknown)).toEqual([404, 'RECORD_NOT_FOUND', undefined]);
    expect(foreign.body).toEqual(unknown.body);
    expectStatus(await stranger.del(path), 404);
    expectStatus(await workspace.patch('/mobile-app-actions/nonsense', {}), 400);
    expect((await workspace.get(config)).body.data).toEqual(app);
  });
});
