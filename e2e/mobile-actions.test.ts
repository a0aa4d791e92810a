import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { expectStatus, newWalletType, newWorkspace, type TestWorkspace } from './support/factories';
import {
  type Device,
  type Holder,
  newAction,
  newApp,
  newDevice,
  newHolder,
  rolesOf,
} from './support/mobile';
import { problemOf } from './support/replies';

const INVALID = (field: string) => [400, 'INVALID_PAYLOAD', field];

let workspace: TestWorkspace;
let device: Device;
let holder: Holder;
let code: string;
let defaults: { id: string; action_type: string }[];

beforeEach(async () => {
  workspace = await newWorkspace();
  code = (await newWalletType(workspace)).code;
  defaults = (await newApp(workspace)).actions;
  [holder, device] = [await newHolder(workspace), await newDevice(workspace)];
});

const idOf = (type: string) => defaults.find(({ action_type }) => action_type === type)!.id;
const run = (actionId: string, data?: object, key?: string) =>
  device.run(actionId, holder.pass.id, data, key);
const done = async (actionId: string, data?: object) =>
  expectStatus(await run(actionId, data), 200).body.data;
const walletTypeId = async () => (await workspace.get(':ws/wallet-types')).body.data[0].id;

async function earn(amount: number) {
  const body = { client_id: holder.client.id, amount };
  expectStatus(await workspace.post(':ws/loyalty/points/earn', body), 201);
}

async function newReward(fields: object = {}) {
  const wallet_type_id = await walletTypeId();
  const body = { name: 'Cup', cost_in_points: 5, wallet_type_id, ...fields };
  return expectStatus(await workspace.post(':ws/rewards', body), 200).body.data;
}

describe('points', () => {
  test('are added in the name of the one who holds the device', async () => {
    const data = await done(idOf('add_points'), { points: 12.5, note: 'Sorry' });
    expect(data).toEqual({
      action_id: idOf('add_points'),
      action_type: 'add_points',
      status: 'success',
      result: expect.objectContaining({
        type: 'earn',
        amount: 12.5,
        client_id: holder.client.id,
        description: 'Sorry',
        source_type: 'mobile',
        source_id: idOf('add_points'),
        metadata: {
          mobile_app_action_id: idOf('add_points'),
          mobile_app_user_id: device.userId,
          pass_id: holder.pass.id,
        },
      }),
      balances: [{ wallet_type_code: code, active_balance: 12.5, pending_balance: 0 }],
    });
    const entry = await workspace.get(`:ws/loyalty/points/ledger/${data.result.id}`);
    expect(entry.body.data).toEqual(data.result);
    const log = await until(async () => {
      const found = await workspace.get(':ws/audit-log', { actor_id: device.userId });
      return found.body.data.length > 0 ? found.body.data : null;
    });
    expect(log[0]).toMatchObject({
      actor: { type: 'mobile', id: device.userId },
      entity_id: idOf('add_points'),
    });
  });

  test('are removed, not below what is there', async () => {
    await earn(10);
    const data = await done(idOf('remove_points'), { points: 4 });
    expect(data.result).toMatchObject({ type: 'spend', amount: -4, source_type: 'mobile' });
    expect(data.balances[0].active_balance).toBe(6);
    expect((await run(idOf('remove_points'), { points: 7 })).status).toBe(400);
    expect((await done(idOf('remove_points'), { points: 6 })).balances[0].active_balance).toBe(0);
  });

  test('come from the defaults of the action, up to its maximum', async () => {
    const action_config = { default_points: 3, max_points: 10, default_note: 'Visit' };
    const { id } = await newAction(workspace, { action_type: 'add_points', action_config });
    expect((await done(id)).result).toMatchObject({ amount: 3, description: 'Visit' });
    expect((await done(id, { points: 10, note: 'Big' })).result).toMatchObject({
      amount: 10,
      description: 'Big',
    });
    expect(problemOf(await run(id, { points: 10.0001 }))).toEqual(INVALID('data.points'));
  });

  test.each([
    [undefined, 'data.points'],
    [{}, 'data.points'],
    [{ points: 0 }, 'data.points'],
    [{ points: -1 }, 'data.points'],
    [{ points: '5' }, 'data.points'],
    [{ points: 1.00001 }, 'data.points'],
    [{ points: 1, note: 5 }, 'data.note'],
    [{ points: 1, wallet_type_code: 'nope' }, 'data.wallet_type_code'],
    [{ points: 1, colour: 'red' }, 'data.colour'],
  ])('are refused with %j', async (data, field) => {
    expect(problemOf(await run(idOf('add_points'), data))).toEqual(INVALID(field));
  });

  test('need their wallet type named where there are several, and only one of the action', async () => {
    const other = await newWalletType(workspace);
    const field = 'data.wallet_type_code';
    expect(problemOf(await run(idOf('add_points'), { points: 1 }))).toEqual(INVALID(field));
    const named = await done(idOf('add_points'), { points: 2, wallet_type_code: other.code });
    expect(named.balances).toContainEqual({
      wallet_type_code: other.code,
      active_balance: 2,
      pending_balance: 0,
    });
    const action_config = { wallet_type_codes: [other.code] };
    const { id } = await newAction(workspace, { action_type: 'add_points', action_config });
    expect((await done(id, { points: 3 })).balances).toContainEqual({
      wallet_type_code: other.code,
      active_balance: 5,
      pending_balance: 0,
    });
    const foreign = await run(id, { points: 1, wallet_type_code: code });
    expect(problemOf(foreign)).toEqual(INVALID(field));
  });

  test('are paid once under one key, also by a double tap', async () => {
    const key = randomUUID();
    const pay = () => run(idOf('add_points'), { points: 5 }, key);
    const replies = await Promise.all([pay(), pay(), pay()]);
    expect(replies.some(({ status }) => status === 200)).toBe(true);
    for (const { status } of replies) expect([200, 409]).toContain(status);
    const again = await pay();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body.data.balances[0].active_balance).toBe(5);
    const other = await run(idOf('add_points'), { points: 6 }, key);
    expect(problemOf(other)).toEqual([409, 'CONFLICT', 'Idempotency-Key']);
    expect((await done(idOf('add_points'), { points: 1 })).balances[0].active_balance).toBe(6);
  });
});

describe('an action', () => {
  test('must be of the workspace and enabled, its role permitted, its pass somebody’s', async () => {
    const id = idOf('add_points');
    const data = { points: 1 };
    const other = await newWorkspace();
    const foreign = (await newApp(other)).actions[0]!.id;
    for (const unknown of [foreign, randomUUID()])
      expect(problemOf(await run(unknown, data))).toEqual([404, 'RECORD_NOT_FOUND', undefined]);
    expectStatus(await device.run(id, randomUUID(), data), 404);
    const foreignPass = (await newHolder(other)).pass.id;
    expectStatus(await device.run(id, foreignPass, data), 404);
    expect(problemOf(await device.run(id, 'nonsense', data))).toEqual(INVALID('pass_id'));
    expect(problemOf(await run(id, [] as object))).toEqual(INVALID('data'));
    const path = `/mobile-app-actions/${id}`;
    expectStatus(await workspace.patch(path, { is_enabled: false }), 200);
    expect(problemOf(await run(id, data))).toEqual([409, 'CONFLICT', undefined]);
    const [admin] = await rolesOf(workspace);
    const fields = { is_enabled: true, allowed_role_ids: [admin!.id] };
    expectStatus(await workspace.patch(path, fields), 200);
    expect(problemOf(await run(id, data))).toEqual([403, 'FORBIDDEN', undefined]);
    const boss = await newDevice(workspace, workspace.owner);
    expectStatus(await boss.run(id, holder.pass.id, data), 200);
    expectStatus(await workspace.patch(':ws/mobile-app-config', { is_enabled: false }), 200);
    expectStatus(await boss.run(id, holder.pass.id, data), 401);
    expectStatus(await workspace.post(`${path}/execute`, { pass_id: holder.pass.id, data }), 403);
  });

  test('asks for what its form calls required, and keeps the answers', async () => {
    const field = (name: string, type: 'number' | 'select' | 'text', rest = {}) => ({
      name,
      label: name,
      type,
      ...rest,
    });
    const form_fields = [
      field('table', 'number', { required: true }),
      field('mood', 'select', { options: ['good', { value: 'bad', label: 'Bad' }] }),
      field('till', 'text', { required: true, default_value: 'T1' }),
    ];
    const { id } = await newAction(workspace, { action_type: 'add_points', form_fields });
    const tries: [object, string][] = [
      [{ points: 1 }, 'data.table'],
      [{ points: 1, table: 'x' }, 'data.table'],
      [{ points: 1, table: 1, mood: 'sad' }, 'data.mood'],
    ];
    for (const [data, wrong] of tries)
      expect(problemOf(await run(id, data))).toEqual(INVALID(wrong));
    const { result } = await done(id, { points: 1, table: 7, mood: 'bad' });
    expect(result.metadata).toMatchObject({ table: 7, mood: 'bad', till: 'T1' });
  });
});

describe('a transaction', () => {
  test('is recorded with all that is known, and moves what purchases move', async () => {
    const rule = {
      name: 'A point each',
      trigger_type: 'transaction',
      effects: [{ type: 'earn_points', wallet_type_code: code, amount_type: 'fixed', amount: 2 }],
    };
    expectStatus(await workspace.post(':ws/automations', rule), 201);
    const action_config = { transaction_type: 'in_store', default_amount: 3 };
    const { id } = await newAction(workspace, { action_type: 'add_transaction', action_config });
    const details = {
      description: 'Lunch',
      location: 'Main street',
      subtotal_amount: 20,
      discount_amount: 2.5,
      line_items: [{ name: 'Soup', price: 20 }],
      payment_info: { card: 'visa' },
    };
    const transaction_timestamp = '2026-03-14T09:41:00.000Z';
    const { result } = await done(id, {
      amount: 17.5,
      currency: 'eur',
      transaction_timestamp,
      metadata: { receipt: 'R1' },
      ...details,
    });
    expect(result).toMatchObject({
      event_category: 'transaction',
      event_type: 'purchase',
      event_timestamp: transaction_timestamp,
      pass_id: holder.pass.id,
      client_id: holder.client.id,
      source: 'mobile',
      amount: 17.5,
      currency: 'EUR',
      metadata: {
        ...details,
        receipt: 'R1',
        transaction_type: 'in_store',
        mobile_app_user_id: device.userId,
        mobile_app_action_id: id,
      },
    });
    expect((await workspace.get(`/events/${result.id}`)).body.data).toEqual(result);
    await until(async () => {
      const [{ wallet }] = (await workspace.get(`:ws/clients/${holder.client.id}/wallets`)).body
        .data;
      return wallet.active_balance === 2;
    });
    expect((await done(id)).result).toMatchObject({ amount: 3, currency: 'USD' });
  });

  test('is a refund where the action says so, and described where it must be', async () => {
    const action_config = { transaction_type: 'refund', require_description: true };
    const { id } = await newAction(workspace, { action_type: 'add_transaction', action_config });
    for (const description of [undefined, '', '  '])
      expect(problemOf(await run(id, { amount: 1, description }))).toEqual(
        INVALID('data.description'),
      );
    expect(problemOf(await run(id, { description: 'x' }))).toEqual(INVALID('data.amount'));
    expect(problemOf(await run(id, { amount: -1, description: 'x' }))).toEqual(
      INVALID('data.amount'),
    );
    const odd = { amount: 1, description: 'x', currency: 'euro' };
    expect(problemOf(await run(id, odd))).toEqual(INVALID('data.currency'));
    expect((await done(id, { amount: 1, description: 'x' })).result.event_type).toBe('refund');
  });

  test('is recorded once under one key', async () => {
    const { id } = await newAction(workspace, { action_type: 'add_transaction' });
    const key = randomUUID();
    await Promise.all([1, 2].map(() => run(id, { amount: 5 }, key)));
    expectStatus(await run(id, { amount: 5 }, key), 200);
    const list = await device.get(`/mobile-app/passes/${holder.pass.id}/transactions`);
    expect(list.body.meta.total).toBe(1);
  });
});

describe('client data', () => {
  const update = (fields: object) => run(idOf('update_client_data'), { fields });

  test('is written, columns and custom fields, in the name of the app', async () => {
    const fields = { first_name: 'Bea', birth_date: '1990-02-28', shoe: 42, phone: null };
    const { result } = expectStatus(await update(fields), 200).body.data;
    expect(result).toMatchObject({
      id: holder.client.id,
      first_name: 'Bea',
      birth_date: '1990-02-28',
      custom_fields: { shoe: 42 },
    });
    expect((await workspace.get(`:ws/clients/${holder.client.id}`)).body.data).toEqual(result);
    const changes = await workspace.get(`:ws/clients/${holder.client.id}/events`, {
      event_category: 'field_change',
    });
    const sources = changes.body.data.map(({ source }: { source: string }) => source);
    expect(new Set(sources)).toEqual(new Set(['mobile']));
  });

  test('is limited to the fields that the action allows', async () => {
    const action_config = { allowed_fields: ['first_name', 'shoe'] };
    const { id } = await newAction(workspace, { action_type: 'update_client_data', action_config });
    const fields = { first_name: 'Bea', last_name: 'X', shoe: 42, status: 'inactive', hat: 7 };
    const { result } = await done(id, { fields });
    expect(result).toMatchObject({
      first_name: 'Bea',
      last_name: null,
      status: 'active',
      custom_fields: { shoe: 42 },
    });
    expect(result.custom_fields).not.toHaveProperty('hat');
    expect((await done(id, { fields: { hat: 1 } })).result).toEqual(result);
  });

  test('is consent as the workspace notes it, since no other source is foreseen', async () => {
    const { result } = expectStatus(await update({ marketing_consent: true }), 200).body.data;
    expect([result.marketing_consent, result.marketing_consent_source]).toEqual([true, 'api']);
  });

  test('is refused field by field', async () => {
    const number = { field_name: 'shoe', field_type: 'number' };
    const name = { field_name: 'nick', field_type: 'text', is_required: true };
    for (const body of [number, name])
      expectStatus(await workspace.post(':ws/data-model', body), 201);
    const other = await newHolder(workspace);
    const tries: [object, string][] = [
      [{ email: 'nobody' }, 'data.fields.email'],
      [{ email: other.client.email }, 'data.fields.email'],
      [{ birth_date: '1990-02-30' }, 'data.fields.birth_date'],
      [{ first_name: 5 }, 'data.fields.first_name'],
      [{ status: 'anonymized' }, 'data.fields.status'],
      [{ workspace_id: randomUUID() }, 'data.fields.workspace_id'],
      [{ shoe: 'large' }, 'data.fields.shoe'],
      [{ nick: ' ' }, 'data.fields.nick'],
    ];
    for (const [fields, field] of tries) {
      const reply = await update(fields);
      expect(problemOf(reply)).toEqual(INVALID(field));
      expect(reply.body.errors).toHaveLength(1);
    }
    expect(problemOf(await run(idOf('update_client_data'), {}))).toEqual(INVALID('data.fields'));
  });
});

describe('rewards', () => {
  test('are redeemed for points, once under one key', async () => {
    await earn(12);
    const reward = await newReward();
    const id = idOf('redeem_reward');
    const key = randomUUID();
    const body = { reward_id: reward.id, metadata: { till: 3 } };
    await Promise.all([run(id, body, key), run(id, body, key)]);
    const { data } = expectStatus(await run(id, body, key), 200).body;
    expect(data.result).toMatchObject({
      redemption: {
        reward_id: reward.id,
        client_id: holder.client.id,
        source: 'mobile',
        points_spent: 5,
        metadata: { till: 3, mobile_app_user_id: device.userId },
      },
      coupon: null,
    });
    expect(data.balances[0].active_balance).toBe(7);
    const dear = await newReward({ cost_in_points: 100 });
    const refused = await run(id, { reward_id: dear.id });
    expect([refused.status, refused.body.errors[0].extensions.reason]).toEqual([
      400,
      'insufficient_points',
    ]);
  });

  test('are granted for nothing, but within their limits', async () => {
    const reward = await newReward({ usage_limit_per_client: 1, purchasable: false });
    const { id } = await newAction(workspace, { action_type: 'grant_reward' });
    const { result } = await done(id, { reward_id: reward.id });
    expect(result.redemption).toMatchObject({ points_spent: 0, source: 'mobile' });
    const again = await run(id, { reward_id: reward.id });
    expect(again.body.errors[0].extensions.reason).toBe('client_limit_reached');
    const bought = await run(idOf('redeem_reward'), { reward_id: reward.id });
    expect(bought.body.errors[0].extensions.reason).toBe('not_purchasable');
  });

  test.each([
    [{}, 'data.reward_id'],
    [{ reward_id: 'x' }, 'data.reward_id'],
    [{ reward_id: randomUUID() }, 'data.reward_id'],
    [{ reward_id: randomUUID(), metadata: 5 }, 'data.metadata'],
  ])('are refused with %j', async (data, field) => {
    expect(problemOf(await run(idOf('redeem_reward'), data))).toEqual(INVALID(field));
  });
});

describe('a tier', () => {
  async function newTier(name: string, kind: string): Promise<string> {
    await workspace.post(':ws/tiers/set', { name: 'Club' });
    const reply = await workspace.post(':ws/tiers', {
      name,
      kind,
      condition_values: { total_earned: 9 },
    });
    return expectStatus(reply, 201).body.data.id;
  }
  const days = ({ expires_at, promoted_at }: { expires_at: string; promoted_at: string }) =>
    Math.round((Date.parse(expires_at) - Date.parse(promoted_at)) / 86_400_000);

  test('is given for as long as the action lets it', async () => {
    const [gold, silver] = [
      await newTier('Gold', 'exclusive'),
      await newTier('Silver', 'exclusive'),
    ];
    const auto = await newTier('Auto', 'auto');
    const action = (action_config: Record<string, unknown>) =>
      newAction(workspace, { action_type: 'change_tier', action_config });
    const forGood = await action({ excluded_tier_ids: [silver] });
    const { result } = await done(forGood.id, { tier_id: gold, duration_days: 5 });
    expect(result).toMatchObject({ tier_id: gold, manually_assigned: true, expires_at: null });
    for (const tier_id of [silver, auto, randomUUID(), 'x', undefined])
      expect(problemOf(await run(forGood.id, { tier_id }))).toEqual(INVALID('data.tier_id'));
    const odd = { tier_id: gold, duration_days: 0 };
    expect(problemOf(await run(forGood.id, odd))).toEqual(INVALID('data.duration_days'));
    const fixed = await action({ default_duration_days: 7 });
    const free = await action({ allow_duration: true, default_duration_days: 9 });
    const given = async (id: string, duration_days?: number) =>
      days((await done(id, { tier_id: silver, duration_days })).result);
    expect(await given(fixed.id, 3)).toBe(7);
    expect(await given(free.id, 3)).toBe(3);
    expect(await given(free.id)).toBe(9);
    const tier = (await device.get(`/mobile-app/passes/${holder.pass.id}`)).body.data.tier;
    expect(tier.id).toBe(silver);
    await until(async () => {
      const events = await workspace.get(`:ws/clients/${holder.client.id}/events`, {
        event_type: 'tier_promoted',
      });
      return events.body.data.length > 0;
    });
  });
});
