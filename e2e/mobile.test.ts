import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, type Reply } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import {
  type Device,
  type Holder,
  newAction,
  newApp,
  newDevice,
  newHolder,
  newProject,
  rolesOf,
} from './support/mobile';
import { problemOf } from './support/replies';

const NOT_FOUND = [404, 'RECORD_NOT_FOUND', undefined];
const config = ':ws/mobile-app-config';
const passPath = (id: string, view = '') => `/mobile-app/passes/${id}${view}`;
const VIEWS = ['', '/history', '/transactions', '/loyalty', '/ledger', '/rewards', '/redemptions'];
const idsOf = ({ body }: Reply) => body.data.map(({ id }: { id: string }) => id);
const search = (device: Device, q: string) => device.get('/mobile-app/passes/search', { q });

interface Shop {
  workspace: TestWorkspace;
  device: Device;
  holder: Holder;
  /** The default wallet type. */
  code: string;
}

async function newShop({
  app = {},
  person = {},
}: {
  app?: object;
  person?: object;
} = {}): Promise<Shop> {
  const workspace = await newWorkspace();
  const { code } = await newWalletType(workspace);
  await newApp(workspace, app);
  const holder = await newHolder(workspace, { person });
  return { workspace, code, holder, device: await newDevice(workspace) };
}

/** What the passes service has sent the trail of the client's purchase. */
async function purchase({ workspace, holder }: Shop, overrides: object = {}): Promise<string> {
  const event = {
    event_category: 'transaction',
    event_type: 'purchase',
    amount: 12.5,
    currency: 'EUR',
    pass_id: holder.pass.id,
    ...overrides,
  };
  const reply = await until(async () => {
    const sent = await workspace.post('/events', event);
    return sent.status === 404 ? null : sent;
  });
  return expectStatus(reply, 200).body.data.id;
}

describe('the app', () => {
  test('is null without a config, and all that it starts with when there is one', async () => {
    const workspace = await newWorkspace();
    const { code } = await newWalletType(workspace, {
      name: 'Beans',
      unit_singular_name: 'bean',
      unit_plural_name: 'beans',
    });
    await newWalletType(workspace, { active: false });
    const device = await newDevice(workspace);
    expect((await device.get(':ws/mobile-app')).body).toEqual({ data: null });
    const field = { field_name: 'shoe_size', field_label: 'Shoe size', field_type: 'number' };
    expectStatus(await workspace.post(':ws/data-model', { ...field, is_required: true }), 201);
    const { actions, ...app } = await newApp(workspace, { hidden_fields: ['vat'] });
    const reply = await device.get(':ws/mobile-app');
    expect(reply.status).toBe(200);
    const { data } = reply.body;
    expect(Object.keys(data)).toEqual(['config', 'actions', 'data_model', 'wallet_types']);
    expect(data.config).toEqual(app);
    expect(data.actions).toEqual(actions);
    expect(data.wallet_types).toEqual([
      { code, name: 'Beans', unit_singular_name: 'bean', unit_plural_name: 'beans' },
    ]);
    expect(data.data_model[0]).toEqual({
      field_name: 'first_name',
      field_label: 'First name',
      field_type: 'text',
      is_required: false,
      is_system: true,
      sort_order: 0,
    });
    expect(data.data_model.at(-1)).toMatchObject({ ...field, is_required: true, is_system: false });
  });

  test('offers the enabled actions of a role, in their order', async () => {
    const workspace = await newWorkspace();
    const [admin, member] = await rolesOf(workspace);
    const app = await newApp(workspace);
    const off = app.actions[0]!.id;
    expectStatus(await workspace.patch(`/mobile-app-actions/${off}`, { is_enabled: false }), 200);
    const only = (id: string, sort_order: number) =>
      newAction(workspace, { action_type: 'add_points', allowed_role_ids: [id], sort_order });
    const [forAdmins, forMembers] = [await only(admin!.id, 0), await only(member!.id, 9)];
    const offered = async (device: Device) =>
      (await device.get(':ws/mobile-app')).body.data.actions.map(({ id }: { id: string }) => id);
    const common = app.actions.slice(1).map(({ id }: { id: string }) => id);
    expect(await offered(await newDevice(workspace))).toEqual([...common, forMembers.id]);
    const boss = await newDevice(workspace, workspace.owner);
    expect(await offered(boss)).toEqual([forAdmins.id, ...common]);
  });

  test('is of one workspace: a session opens no other', async () => {
    const [{ device }, other] = [await newShop(), await newShop()];
    const foreign = `/workspace/${other.workspace.workspaceId}/mobile-app`;
    expect(problemOf(await device.get(foreign))).toEqual([403, 'FORBIDDEN', undefined]);
    for (const view of VIEWS)
      expect(problemOf(await device.get(passPath(other.holder.pass.id, view)))).toEqual(NOT_FOUND);
    const scan = `/mobile-app/passes/scan/${other.holder.pass.barcode_value}`;
    expect(problemOf(await device.get(scan))).toEqual(NOT_FOUND);
    expect(idsOf(await search(device, other.holder.client.email))).toEqual([]);
  });

  test('takes its own token only', async () => {
    const { workspace, holder } = await newShop();
    for (const path of [
      `/workspace/${workspace.workspaceId}/mobile-app`,
      passPath(holder.pass.id),
    ]) {
      expect((await call('GET', path)).status).toBe(403);
      expect((await call('GET', path, { token: workspace.token })).status).toBe(403);
      const headers = { 'X-Mobile-Token': workspace.token };
      expect((await call('GET', path, { headers })).status).toBe(401);
    }
  });

  test('ends with the membership of a linked user', async () => {
    const { workspace, holder } = await newShop();
    const member = await newMember(workspace);
    const device = await newDevice(workspace, member.user);
    expectStatus(await device.get(passPath(holder.pass.id)), 200);
    expectStatus(await workspace.del(`:ws/members/${member.user.id}`), 200);
    expectStatus(await device.get(passPath(holder.pass.id)), 401);
  });
});

describe('a pass', () => {
  test('is shown with its client, tier and wallets, by id and by barcode', async () => {
    const { workspace, device, holder, code } = await newShop();
    expectStatus(await workspace.post(':ws/tiers/set', { name: 'Club' }), 201);
    const tier = { name: 'Gold', kind: 'exclusive', condition_values: {} };
    const { id: tier_id } = expectStatus(await workspace.post(':ws/tiers', tier), 201).body.data;
    const { pass, client } = holder;
    expectStatus(await workspace.post(':ws/tiers/assign', { client_id: client.id, tier_id }), 200);
    const points = { client_id: client.id, amount: 7.5 };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', points), 201);
    const reply = await device.get(passPath(pass.id));
    expect(reply.status).toBe(200);
    const { tier: shown, wallets, ...rest } = reply.body.data;
    const person = (await workspace.get(`:ws/clients/${client.id}`)).body.data;
    expect(rest).toMatchObject({ id: pass.id, client_id: client.id, client: person });
    expect(shown).toMatchObject({ id: tier_id, name: 'Gold', kind: 'exclusive' });
    expect(wallets).toEqual((await workspace.get(`:ws/clients/${client.id}/wallets`)).body.data);
    expect(wallets[0]).toMatchObject({ wallet: { active_balance: 7.5 }, wallet_type: { code } });
    const scanned = await device.get(`/mobile-app/passes/scan/${pass.barcode_value}`);
    expect(scanned.body).toEqual(reply.body);
    expect(problemOf(await device.get('/mobile-app/passes/scan/nothing'))).toEqual(NOT_FOUND);
    expect(problemOf(await device.get(passPath(randomUUID())))).toEqual(NOT_FOUND);
    expectStatus(await device.get(passPath('nonsense')), 400);
    const loyalty = await device.get(passPath(pass.id, '/loyalty'));
    const tierView = (await workspace.get(`:ws/clients/${client.id}/tier`)).body.data;
    expect(loyalty.body.data).toEqual({ wallets, tier: shown, progress: tierView.progress });
  });

  test('without a client has nothing but itself', async () => {
    const { workspace, device, holder } = await newShop();
    const { project_id, pass_template_id } = holder.pass as Holder['pass'] & {
      pass_template_id: string;
    };
    const made = await workspace.post(':ws/passes', { project_id, pass_template_id });
    const { id } = expectStatus(made, 201).body.data;
    const { data } = (await device.get(passPath(id))).body;
    expect(data).toMatchObject({ id, client_id: null, client: null, tier: null, wallets: [] });
    for (const view of ['/ledger', '/redemptions'])
      expect((await device.get(passPath(id, view))).body).toEqual({
        data: [],
        meta: { total: 0, limit: 20, offset: 0 },
      });
    expect((await device.get(passPath(id, '/rewards'))).body).toEqual({ data: [] });
    const loyalty = { wallets: [], tier: null, progress: null };
    expect((await device.get(passPath(id, '/loyalty'))).body).toEqual({ data: loyalty });
  });

  test('is found by name, address and phone of its client, at most 20', async () => {
    const phone = `+4850${Math.floor(1_000_000 + Math.random() * 8_999_999)}`;
    const person = { first_name: 'Żaneta', last_name: 'Nowak', phone };
    const { workspace, device, holder } = await newShop({ person });
    await newClient(workspace, { first_name: 'Żaneta', last_name: 'Without a pass' });
    for (const q of ['zaneta', 'Nowak', 'żaneta now', holder.client.email.slice(0, 20), phone]) {
      const reply = expectStatus(await search(device, q), 200);
      expect(idsOf(reply)).toEqual([holder.pass.id]);
      expect(reply.body.data[0].client).toMatchObject({ id: holder.client.id, ...person });
    }
    expect(idsOf(await search(device, '.*'))).toEqual([]);
    expect(problemOf(await device.get('/mobile-app/passes/search'))).toEqual([
      400,
      'INVALID_PAYLOAD',
      'q',
    ]);
    expectStatus(await search(device, ''), 400);
    const { pass_template_id } = holder.pass as unknown as { pass_template_id: string };
    for (let count = 0; count < 21; count += 1) {
      const { id: client_id } = await newClient(workspace, { last_name: 'Nowak' });
      const body = { project_id: holder.projectId, pass_template_id, client_id };
      expectStatus(await workspace.post(':ws/passes', body), 201);
    }
    expect(idsOf(await search(device, 'nowak'))).toHaveLength(20);
  });

  test('shows what happened, newest first, in pages', async () => {
    const shop = await newShop();
    const { device, holder, workspace } = shop;
    const first = await purchase(shop, { event_timestamp: '2026-01-01T00:00:00.000Z' });
    const second = await purchase(shop, { event_type: 'refund', amount: 1 });
    await workspace.patch(`:ws/clients/${holder.client.id}`, { first_name: 'Bea' });
    const events = await device.get(passPath(holder.pass.id, '/transactions'));
    expect(idsOf(events)).toEqual([second, first]);
    expect(events.body.meta).toEqual({ total: 2, limit: 20, offset: 0 });
    expect(events.body.data[1]).toMatchObject({ pass_id: holder.pass.id, amount: 12.5 });
    const page = { limit: 1, offset: 1 };
    const rest = await device.get(passPath(holder.pass.id, '/transactions'), page);
    expect([idsOf(rest), rest.body.meta]).toEqual([[first], { total: 2, ...page }]);
    const history = await device.get(passPath(holder.pass.id, '/history'));
    const types = history.body.data.map(({ event_type }: { event_type: string }) => event_type);
    expect(types).toEqual(expect.arrayContaining(['field_updated', 'refund', 'purchase']));
    const times = history.body.data.map(
      (event: { event_timestamp: string }) => event.event_timestamp,
    );
    expect(times).toEqual([...times].sort().reverse());
    expect(history.body.meta.total).toBe(history.body.data.length);
    const refused: Record<string, string | number>[] = [
      { limit: 0 },
      { limit: 101 },
      { limit: 'x' },
      { offset: -1 },
    ];
    for (const query of refused)
      for (const view of ['/history', '/transactions', '/ledger', '/rewards', '/redemptions'])
        expectStatus(await device.get(passPath(holder.pass.id, view), query), 400);
  });

  test('keeps its history to itself where the workspace says so', async () => {
    const { workspace, device, holder } = await newShop({
      app: { app_config: { enable_pass_history: false } },
    });
    for (const view of ['/history', '/transactions'])
      expectStatus(await device.get(passPath(holder.pass.id, view)), 403);
    await workspace.patch(config, { app_config: { enable_pass_history: true } });
    expectStatus(await device.get(passPath(holder.pass.id, '/history')), 200);
  });

  test('shows the ledger of all wallet types, or of one', async () => {
    const { workspace, device, holder, code } = await newShop();
    const other = await newWalletType(workspace);
    const earn = async (wallet_type_code: string, amount: number) => {
      const body = { client_id: holder.client.id, wallet_type_code, amount };
      return expectStatus(await workspace.post(':ws/loyalty/points/earn', body), 201).body.data;
    };
    const [one, two] = [await earn(code, 5), await earn(other.code, 3)];
    const ledger = (query = {}) => device.get(passPath(holder.pass.id, '/ledger'), query);
    expect((await ledger()).body).toEqual({
      data: [two, one],
      meta: { total: 2, limit: 20, offset: 0 },
    });
    expect((await ledger({ wallet_type_code: code })).body.data).toEqual([one]);
    expect((await ledger({ limit: 1, offset: 1 })).body.data).toEqual([one]);
    expect(problemOf(await ledger({ wallet_type_code: 'nope' }))).toEqual([
      400,
      'INVALID_PAYLOAD',
      'wallet_type_code',
    ]);
  });

  test('shows rewards with what keeps the client from them, and what was redeemed', async () => {
    const { workspace, device, holder, code } = await newShop();
    const [type] = (await workspace.get(':ws/wallet-types')).body.data;
    const reward = async (name: string, cost_in_points: number, rest = {}) => {
      const body = { name, cost_in_points, wallet_type_id: type.id, ...rest };
      return expectStatus(await workspace.post(':ws/rewards', body), 200).body.data;
    };
    const cheap = await reward('Espresso', 5, { sort_order: 1 });
    const dear = await reward('Machine', 500, { sort_order: 2 });
    const ended = await reward('Soon', 1, {
      sort_order: 3,
      availability_start: '2999-01-01T00:00:00.000Z',
    });
    await reward('Hidden', 1, { purchasable: false });
    const points = { client_id: holder.client.id, amount: 10, wallet_type_code: code };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', points), 201);
    const rewards = (query = {}) => device.get(passPath(holder.pass.id, '/rewards'), query);
    expect((await rewards()).body).toEqual({
      data: [
        { ...cheap, can_afford: true, is_locked: false, reason: null },
        { ...dear, can_afford: false, is_locked: false, reason: 'insufficient_points' },
        { ...ended, can_afford: true, is_locked: true, reason: 'not_started' },
      ],
    });
    expect(idsOf(await rewards({ limit: 1, offset: 1 }))).toEqual([dear.id]);
    const body = { reward_id: cheap.id, client_id: holder.client.id };
    const { redemption } = expectStatus(await workspace.post(':ws/rewards/redeem', body), 200).body
      .data;
    const list = await device.get(passPath(holder.pass.id, '/redemptions'));
    expect(idsOf(list)).toEqual([redemption.id]);
    expect(list.body.data[0]).toMatchObject({ reward_id: cheap.id, points_spent: 5 });
    expect(list.body.meta).toEqual({ total: 1, limit: 20, offset: 0 });
  });
});

describe('the projects of the app', () => {
  test('bound every view, search, scan and action', async () => {
    const shop = await newShop({ person: { last_name: 'Fenced' } });
    const { workspace, device, holder: outside } = shop;
    const within = await newProject(workspace);
    const inside = await newHolder(workspace, {
      projectId: within,
      person: { last_name: 'Fenced' },
    });
    expect(idsOf(await search(device, 'fenced')).sort()).toEqual(
      [inside.pass.id, outside.pass.id].sort(),
    );
    expectStatus(await workspace.patch(config, { project_ids: [within] }), 200);
    expect(idsOf(await search(device, 'fenced'))).toEqual([inside.pass.id]);
    const scan = (pass: Holder['pass']) =>
      device.get(`/mobile-app/passes/scan/${pass.barcode_value}`);
    expectStatus(await scan(inside.pass), 200);
    expect(problemOf(await scan(outside.pass))).toEqual(NOT_FOUND);
    for (const view of VIEWS) {
      expectStatus(await device.get(passPath(inside.pass.id, view)), 200);
      expect(problemOf(await device.get(passPath(outside.pass.id, view)))).toEqual(NOT_FOUND);
    }
    const [add] = (await workspace.get(config)).body.data.actions;
    expect(problemOf(await device.run(add.id, outside.pass.id, { points: 1 }))).toEqual(NOT_FOUND);
    expectStatus(await device.run(add.id, inside.pass.id, { points: 1 }), 200);
    expectStatus(await workspace.patch(config, { project_ids: [] }), 200);
    expect(problemOf(await device.get(passPath(inside.pass.id)))).toEqual(NOT_FOUND);
  });

  test('keep what happened on another pass of the same person out of the history', async () => {
    const shop = await newShop();
    const { workspace, device, holder } = shop;
    const elsewhere = await newHolder(workspace, { clientId: holder.client.id });
    const own = await purchase(shop);
    const other = await purchase({ ...shop, holder: elsewhere });
    const history = () => device.get(passPath(holder.pass.id, '/transactions'));
    expect(idsOf(await history())).toEqual([other, own]);
    expectStatus(await workspace.patch(config, { project_ids: [holder.projectId] }), 200);
    const fenced = await history();
    expect([idsOf(fenced), fenced.body.meta.total]).toEqual([[own], 1]);
    await workspace.patch(`:ws/clients/${holder.client.id}`, { first_name: 'Bea' });
    const all = (await device.get(passPath(holder.pass.id, '/history'))).body.data;
    expect(all.map(({ event_type }: { event_type: string }) => event_type)).toContain(
      'field_updated',
    );
    expect(all.map(({ id }: { id: string }) => id)).not.toContain(other);
  });
});

test('hidden fields are hidden in every view of a pass', async () => {
  const person = { phone: '+48501234567', custom_fields: { vat: 'PL-SECRET', shoe: 42 } };
  const shop = await newShop({ app: { hidden_fields: ['vat', 'phone'] }, person });
  const { workspace, device, holder } = shop;
  expectStatus(
    await workspace.patch(`:ws/clients/${holder.client.id}`, {
      custom_fields: { vat: 'PL-SECRET-2', shoe: 43 },
    }),
    200,
  );
  await workspace.patch(`/passes/${holder.pass.id}`, { pass_fields: { vat: 'PL-SECRET' } });
  const earn = { client_id: holder.client.id, amount: 5, metadata: { vat: 'PL-SECRET' } };
  expectStatus(await workspace.post(':ws/loyalty/points/earn', earn), 201);
  const pushed = await workspace.patch(`/passes/${holder.pass.id}`, { notification: 'Of {{vat}}' });
  expect(expectStatus(pushed, 200).body.data.notification).toBe('Of PL-SECRET');
  for (const view of VIEWS) {
    const { text } = expectStatus(await device.get(passPath(holder.pass.id, view)), 200);
    expect(text).not.toContain('SECRET');
    expect(text).not.toContain('+48501234567');
  }
  const found = await search(device, holder.client.email);
  const scanned = await device.get(`/mobile-app/passes/scan/${holder.pass.barcode_value}`);
  for (const { text } of [found, scanned]) {
    expect(text).not.toContain('SECRET');
    expect(text).not.toContain('+48501234567');
  }
  expect(found.body.data[0].client).toMatchObject({ custom_fields: { shoe: 43 }, phone: null });
  const history = (await device.get(passPath(holder.pass.id, '/history'))).body.data;
  const changes = history.filter(
    ({ event_type }: { event_type: string }) => event_type === 'field_updated',
  );
  expect(changes.map(({ field_name }: { field_name: string | null }) => field_name).sort()).toEqual(
    [null, 'shoe'].sort(),
  );
  expect(JSON.stringify(history)).not.toContain('vat');
  const update = (await workspace.get(config)).body.data.actions[3];
  const run = await device.run(update.id, holder.pass.id, { fields: { shoe: 44 } });
  expect(expectStatus(run, 200).body.data.result.custom_fields).toEqual({ shoe: 44 });
  expect(run.text).not.toContain('SECRET');
});

test('no view of a pass has its links, which make their holder its client', async () => {
  const { device, holder } = await newShop();
  const { id, barcode_value } = holder.pass;
  const links = { apple_pass_url: null, apple_qrcode_url: null, google_pass_url: null };
  const found = await search(device, holder.client.email);
  for (const reply of [
    await device.get(passPath(id)),
    await device.get(`/mobile-app/passes/scan/${barcode_value}`),
    { ...found, body: { data: found.body.data[0] } },
  ])
    expect(reply.body.data).toMatchObject({ id, ...links, google_qrcode_url: null });
});

test('a purchase that staff ring up shows no name where names are hidden', async () => {
  const person = { first_name: 'Ada', last_name: 'Secret' };
  const shop = await newShop({ app: { hidden_fields: ['last_name'] }, person });
  const sale = await newAction(shop.workspace, { action_type: 'add_transaction' });
  const run = await shop.device.run(sale.id, shop.holder.pass.id, { amount: 5 });
  expect(expectStatus(run, 200).body.data.result).toMatchObject({
    amount: 5,
    client_name_snapshot: null,
  });
  expect(run.text).not.toContain('Secret');
});

test('staff cannot write what is hidden from them, by whatever name', async () => {
  const person = { phone: '+48501234567', custom_fields: { vat: 'PL-SECRET', shoe: 42 } };
  const shop = await newShop({ app: { hidden_fields: ['vat', 'phone'] }, person });
  const { workspace, device, holder } = shop;
  const update = (await workspace.get(config)).body.data.actions[3];
  for (const fields of [
    { vat: 'hack' },
    { shoe: 44, vat: 'hack' },
    { custom_fields: { vat: 'hack' } },
    { 'custom_fields.vat': 'hack' },
    { phone: '+48999999999' },
  ]) {
    const refused = expectStatus(await device.run(update.id, holder.pass.id, { fields }), 400);
    expect(refused.text).not.toContain('SECRET');
    expect(refused.body.errors[0].extensions.field).toMatch(
      /^data\.fields\.(custom_fields\.)?(vat|phone)$/,
    );
  }
  const client = (await workspace.get(`:ws/clients/${holder.client.id}`)).body.data;
  expect(client).toMatchObject({
    phone: '+48501234567',
    custom_fields: { vat: 'PL-SECRET', shoe: 42 },
  });
});
