import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Reply } from './support/api';
import {
  expectStatus,
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
} from './support/mobile';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let device: Device;
let holder: Holder;
let walletTypeId: string;
let actions: { id: string; action_type: string }[];

beforeEach(async () => {
  workspace = await newWorkspace();
  walletTypeId = (await newWalletType(workspace, { code: 'beans' })).id;
  const sale = { name: 'Sale', action_type: 'add_transaction' } as const;
  actions = [...(await newApp(workspace)).actions, await newAction(workspace, sale)];
  [holder, device] = [await newHolder(workspace), await newDevice(workspace)];
});

const idOf = (type: string) => actions.find(({ action_type }) => action_type === type)!.id;
const done = (reply: Reply) => ({
  ...expectStatus(reply, 200).body.data,
  operation_id: reply.headers.get('operation-id')!,
});
const run = async (type: string, data: object, key?: string) =>
  done(await device.run(idOf(type), holder.pass.id, data, key));
const undo = (id: string, by = device, key?: string) =>
  by.post(`/mobile-app/operations/${id}/undo`, {}, key ? { 'Idempotency-Key': key } : {});
const balance = async () =>
  (await workspace.get(`:ws/clients/${holder.client.id}/wallets`)).body.data[0].wallet
    .active_balance;

describe('POST /mobile-app/operations/:id/undo', () => {
  test('takes points back once, however often it is pressed, and only on the device that gave them', async () => {
    const { operation_id } = await run('add_points', { points: 128 });
    expectRefusal(await undo(operation_id, await newDevice(workspace)), 409, 'CONFLICT');
    expect(await balance()).toBe(128);
    const key = randomUUID();
    const replies = await Promise.all([
      undo(operation_id),
      undo(operation_id),
      undo(operation_id, device, key),
    ]);
    expect(replies.some(({ status }) => status === 200)).toBe(true);
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await balance()).toBe(0);
    const ledger = await workspace.get(`:ws/loyalty/points/ledger?client_id=${holder.client.id}`);
    expect(ledger.body.data.map(({ type }: { type: string }) => type)).toEqual(['cancel', 'earn']);
    expectRefusal(await undo(operation_id), 409, 'CONFLICT');
  });

  test('answers a repeat under one key as it did the first time', async () => {
    const { operation_id } = await run('remove_points', { points: 0.5 }).catch(async () => {
      await run('add_points', { points: 3 });
      return run('remove_points', { points: 0.5 });
    });
    const key = randomUUID();
    const first = expectStatus(await undo(operation_id, device, key), 200);
    expect(first.body.data).toEqual({
      undone: [{ type: 'entry', id: expect.any(String), amount: 0.5 }],
      balances: [{ wallet_type_code: 'beans', active_balance: 3, pending_balance: 0 }],
    });
    const again = expectStatus(await undo(operation_id, device, key), 200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await balance()).toBe(3);
  });

  test('cancels a redemption, points and coupon and all', async () => {
    await run('add_points', { points: 10 });
    const body = { name: 'Cup', cost_in_points: 4, wallet_type_id: walletTypeId };
    const { id: reward_id } = (await workspace.post(':ws/rewards', body)).body.data;
    const told = await run('redeem_reward', { reward_id });
    expect(await balance()).toBe(6);
    const { undone } = expectStatus(await undo(told.operation_id), 200).body.data;
    expect(undone).toEqual([{ type: 'redemption', id: told.result.redemption.id, amount: 4 }]);
    expect(await balance()).toBe(10);
  });

  test('refunds a whole purchase, and what rules gave for it follows', async () => {
    const effect = {
      type: 'earn_points',
      wallet_type_code: 'beans',
      amount_type: 'expression',
      amount_expression: 'event.amount',
    };
    const rule = { name: 'Per euro', trigger_type: 'transaction', effects: [effect] };
    expectStatus(await workspace.post(':ws/automations', rule), 201);
    const told = await run('add_transaction', { amount: 128 });
    await until(async () => (await balance()) === 128);
    const { undone } = expectStatus(await undo(told.operation_id), 200).body.data;
    expect(undone).toEqual([{ type: 'refund', id: expect.any(String), amount: 128 }]);
    const event = (await workspace.get(`/events/${undone[0].id}`)).body.data;
    expect(event).toMatchObject({
      event_type: 'refund',
      original_external_id: told.result.id,
      refund_link: 'linked',
    });
    await until(async () => (await balance()) === 0);
    expectRefusal(await undo(told.operation_id), 409, 'CONFLICT');
  });

  test('refunds what is left of a purchase of which some was given back elsewhere, and nothing where all was', async () => {
    const effect = { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'expression' };
    const effects = [{ ...effect, amount_expression: 'event.amount' }];
    const rule = { name: 'Per euro', trigger_type: 'transaction', effects };
    expectStatus(await workspace.post(':ws/automations', rule), 201);
    const spent = async () => {
      const path = `:ws/clients/${holder.client.id}/events?event_category=transaction`;
      const events: { event_type: string; amount: number }[] = (await workspace.get(path)).body
        .data;
      return events.reduce(
        (sum, { event_type: type, amount }) => (type === 'refund' ? sum - amount : sum + amount),
        0,
      );
    };
    for (const [back, left] of [
      [20.5, 39.5],
      [60, 0],
    ] as const) {
      const told = await run('add_transaction', { amount: 60 });
      await until(async () => (await balance()) === 60);
      const refund = { event_category: 'transaction', event_type: 'refund', amount: back };
      const { currency, id: original_external_id } = told.result;
      const elsewhere = { ...refund, currency, original_external_id, pass_id: holder.pass.id };
      expectStatus(await workspace.post('/events', elsewhere), 200);
      const reply = await undo(told.operation_id);
      if (left === 0) expectRefusal(reply, 409, 'CONFLICT');
      else expect(expectStatus(reply, 200).body.data.undone).toMatchObject([{ amount: left }]);
      await until(async () => (await balance()) === 0);
      expect(await spent()).toBe(0);
    }
  });

  test('is not for data, and not for what has no client here', async () => {
    const told = await run('update_client_data', { fields: { last_name: 'Weber' } });
    expectRefusal(await undo(told.operation_id), 409, 'CONFLICT');
    expectRefusal(await undo(randomUUID()), 404, 'RECORD_NOT_FOUND');
    const other = await newWorkspace();
    await newApp(other);
    const foreign = await newDevice(other);
    const { operation_id } = await run('add_points', { points: 1 });
    expectRefusal(await undo(operation_id, foreign), 404, 'RECORD_NOT_FOUND');
  });
});

describe('what an action comes to', () => {
  const perEuro = (fields: object = {}) => ({
    name: 'Per euro',
    trigger_type: 'transaction',
    effects: [
      {
        type: 'earn_points',
        wallet_type_code: 'beans',
        amount_type: 'expression',
        amount_expression: 'event.amount * 2.0',
      },
    ],
    ...fields,
  });
  const follow = (id: string, by = device) => by.get(`/mobile-app/operations/${id}?wait=5`);
  /** What came of it in the end: one wait may be over before its rules have run. */
  const followed = (id: string) =>
    until(async () => {
      const { data } = expectStatus(await follow(id), 200).body;
      return data.state === 'done' && data;
    });

  test('is foretold before it is done, as it then comes, and foretelling does nothing', async () => {
    const card = { name: 'Cup', cost_in_points: 0 };
    const { id: reward_id } = (await workspace.post(':ws/rewards', card)).body.data;
    const rule = perEuro();
    const effects = [...rule.effects, { type: 'give_reward', reward_id }];
    expectStatus(await workspace.post(':ws/automations', { ...rule, effects }), 201);
    const body = { pass_id: holder.pass.id, data: { amount: 6.25 } };
    const path = `/mobile-app-actions/${idOf('add_transaction')}/quote`;
    const quote = expectStatus(await device.post(path, body), 200).body.data;
    expect(quote.effects).toMatchObject([
      { type: 'earn_points', wallet_type_code: 'beans', points: 12.5 },
      { type: 'give_reward', points: null },
    ]);
    expect((await workspace.get(`:ws/clients/${holder.client.id}/events`)).body.data).toEqual([]);
    const { operation_id } = await run('add_transaction', { amount: 6.25 });
    expect(await followed(operation_id)).toMatchObject({
      id: operation_id,
      state: 'done',
      entries: [{ wallet_type_code: 'beans', amount: 12.5, rule_name: 'Per euro' }],
      rewards: [{ id: reward_id, name: 'Cup', coupon_code: null, rule_name: 'Per euro' }],
      failed_rules: [],
      tier: null,
      balances: [{ wallet_type_code: 'beans', active_balance: 12.5 }],
      undone_at: null,
    });
  });

  test('is done, with nothing, where no rule pays for it', async () => {
    expectStatus(await workspace.post(':ws/automations', perEuro({ active: false })), 201);
    const dear = { type: 'expression', expression: 'event.amount > 100.0' };
    expectStatus(await workspace.post(':ws/automations', perEuro({ conditions: [dear] })), 201);
    const { operation_id } = await run('add_transaction', { amount: 1 });
    expect((await followed(operation_id)).entries).toEqual([]);
    const other = await newDevice(workspace);
    expectRefusal(await follow(operation_id, other), 404, 'RECORD_NOT_FOUND');
    const given = await run('add_points', { points: 3 });
    expect(await followed(given.operation_id)).toMatchObject({
      entries: [{ id: given.result.id, amount: 3, rule_name: null }],
    });
  });

  test('names a rule that could not do all it should, beside what the others gave', async () => {
    const tooMuch = { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'expression' };
    const effects = [{ ...tooMuch, amount_expression: 'event.amount * 100000000000.0' }];
    expectStatus(
      await workspace.post(':ws/automations', perEuro({ name: 'Riches', effects })),
      201,
    );
    expectStatus(await workspace.post(':ws/automations', perEuro()), 201);
    const { operation_id } = await run('add_transaction', { amount: 6.25 });
    expect(expectStatus(await follow(operation_id), 200).body.data).toMatchObject({
      state: 'done',
      entries: [{ amount: 12.5, rule_name: 'Per euro' }],
      failed_rules: ['Riches'],
    });
  });

  test('names the currency of its points where the action is of one of several', async () => {
    await newWalletType(workspace, { code: 'stars' });
    const action_config = { wallet_type_codes: ['stars'] };
    const action = await newAction(workspace, { action_type: 'add_points', action_config });
    const given = done(await device.run(action.id, holder.pass.id, { points: 3 }));
    expect((await followed(given.operation_id)).entries).toEqual([
      { id: given.result.id, wallet_type_code: 'stars', amount: 3, rule_name: null },
    ]);
  });

  test('is refused before it is done as it would be then', async () => {
    const quote = (type: string, data: object) =>
      device.post(`/mobile-app-actions/${idOf(type)}/quote`, { pass_id: holder.pass.id, data });
    expectRefusal(await quote('add_points', {}), 400, 'INVALID_PAYLOAD', 'data.points');
    expectRefusal(await quote('add_transaction', {}), 400, 'INVALID_PAYLOAD', 'data.amount');
    expectRefusal(
      await quote('remove_points', { points: 2 }),
      400,
      'INVALID_PAYLOAD',
      'data.points',
    );
    await run('add_points', { points: 2 });
    const { effects } = expectStatus(await quote('remove_points', { points: 2 }), 200).body.data;
    expect(effects).toMatchObject([{ wallet_type_code: 'beans', points: -2 }]);
  });
});

test('what a device did lately and what all staff did can be read, each by whom it is for', async () => {
  const key = randomUUID();
  const first = await run('add_points', { points: 2.5 }, key);
  const repeated = await run('add_points', { points: 2.5 }, key);
  expect(repeated.operation_id).toBe(first.operation_id);
  await run('add_transaction', { amount: 7 });
  const other = await newDevice(workspace);
  expectStatus(await other.run(idOf('add_points'), holder.pass.id, { points: 1 }), 200);
  expectStatus(await undo(first.operation_id), 200);
  const recent = expectStatus(await device.get('/mobile-app/recent'), 200).body.data;
  expect(recent).toMatchObject([
    { action_type: 'add_transaction', amount: 7, currency: expect.any(String), undoable: true },
    {
      id: first.operation_id,
      action_type: 'add_points',
      mobile_user_id: device.userId,
      client_id: holder.client.id,
      amount: 2.5,
      wallet_type_code: 'beans',
      undoable: false,
      undone_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect(recent).toHaveLength(2);
  const activity = async (query = '') =>
    expectStatus(await (await newMember(workspace)).get(`:ws/mobile-app-activity${query}`), 200)
      .body;
  expect((await activity()).data).toHaveLength(3);
  expect((await activity(`?user_id=${other.userId}`)).data).toMatchObject([{ amount: 1 }]);
  const page = await activity('?limit=2');
  const rest = await activity(`?limit=2&cursor=${page.meta.next_cursor}`);
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([first.operation_id]);
  expect(rest.meta.next_cursor).toBeNull();
  expectRefusal(
    await workspace.get(':ws/mobile-app-activity?cursor=x'),
    400,
    'INVALID_PAYLOAD',
    'cursor',
  );
  const stranger = await newWorkspace();
  expect((await stranger.get(':ws/mobile-app-activity')).body.data).toEqual([]);
});

test('a till tells of a purchase later: it counts as of when it happened, at most 72 hours ago', async () => {
  const hour = 3_600_000;
  const tell = (type: string, data: object, agoMs: number) =>
    device.post(`/mobile-app-actions/${idOf(type)}/execute`, {
      pass_id: holder.pass.id,
      data,
      occurred_at: new Date(Date.now() - agoMs).toISOString(),
    });
  const late = done(await tell('add_transaction', { amount: 3 }, 30 * hour));
  const at = Date.parse(late.result.event_timestamp);
  expect(Math.abs(Date.now() - 30 * hour - at)).toBeLessThan(hour);
  const transaction_timestamp = new Date(Date.now() - 90 * hour).toISOString();
  const dated = done(await tell('add_transaction', { amount: 3, transaction_timestamp }, hour));
  expect(dated.result.event_timestamp).toBe(transaction_timestamp);
  expect((await device.get('/mobile-app/recent')).body.data[0]).toMatchObject({
    id: dated.operation_id,
    occurred_at: transaction_timestamp,
  });
  const points = done(await tell('add_points', { points: 3 }, 2 * hour));
  expect(points.result.metadata.occurred_at).toMatch(/Z$/);
  const [newest] = (await device.get('/mobile-app/recent')).body.data;
  expect(newest).toMatchObject({ id: points.operation_id, occurred_at: expect.any(String) });
  const refused = async (type: string, data: object, agoMs: number) =>
    expectRefusal(await tell(type, data, agoMs), 400, 'INVALID_PAYLOAD', 'occurred_at');
  await refused('add_transaction', { amount: 3 }, 73 * hour);
  await refused('add_transaction', { amount: 3 }, -hour);
  await refused('remove_points', { points: 1 }, hour);
});

test('staff take a coupon: they see whether it is good and, as far as they may, whose, and use it', async () => {
  const body = { name: 'Cup', cost_in_points: 0, code_pattern: 'C-{RAND:6}' };
  const { id: reward_id } = (await workspace.post(':ws/rewards', body)).body.data;
  const gift = { name: 'Gift', action_type: 'grant_reward' } as const;
  actions.push(await newAction(workspace, gift));
  const told = await run('grant_reward', { reward_id });
  const { code } = told.result.coupon;
  const validate = async () =>
    expectStatus(await device.post('/mobile-app/coupons/validate', { code }), 200).body.data;
  expect(await validate()).toMatchObject({
    valid: true,
    redemption: { id: told.result.redemption.id },
    client: { id: holder.client.id, email: holder.client.email },
  });
  expectStatus(await workspace.patch(':ws/mobile-app-config', { hidden_fields: ['email'] }), 200);
  expect((await validate()).client).toMatchObject({ id: holder.client.id, email: null });
  const use = (by: Device, used?: boolean) =>
    by.post(
      `/mobile-app/redemptions/${told.result.redemption.id}/use`,
      used === undefined ? {} : { used },
    );
  const other = await newWorkspace();
  await newApp(other);
  const foreign = await newDevice(other);
  expectStatus(await use(foreign), 400);
  expect((await foreign.post('/mobile-app/coupons/validate', { code })).body.data).toMatchObject({
    valid: false,
    reason: 'unknown',
    client: null,
  });
  const used = expectStatus(await use(device), 200).body.data;
  expect(used.redemption.used_at).toMatch(/Z$/);
  expect(await validate()).toMatchObject({ valid: false, reason: 'used' });
  expectStatus(await use(device, false), 200);
  expect(await validate()).toMatchObject({ valid: true });
});
