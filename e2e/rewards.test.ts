import { randomUUID } from 'node:crypto';
import { callerFor, type Reply } from './support/api';
import {
  expectStatus,
  newClient,
  newUser,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';

let workspace: TestWorkspace;
let walletTypeId: string;
beforeAll(async () => {
  workspace = await newWorkspace();
  walletTypeId = (await newWalletType(workspace)).id;
});

const create = (body: object = {}): Promise<Reply> =>
  workspace.post(':ws/rewards', { name: 'Free coffee', cost_in_points: 10, ...body });
const newReward = async (body: object = {}) => expectStatus(await create(body), 200).body.data;
const fieldsOf = (reply: Reply): (string | undefined)[] =>
  reply.body.errors.map((error: { extensions: { field?: string } }) => error.extensions.field);

describe('POST :ws/rewards', () => {
  test('answers 200 with every field, defaults filled in', async () => {
    const reply = await create({ wallet_type_id: walletTypeId });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      data: {
        id: expect.any(String),
        workspace_id: workspace.workspaceId,
        name: 'Free coffee',
        cost_in_points: 10,
        description: null,
        code_pattern: null,
        active: true,
        wallet_type_id: walletTypeId,
        monetary_value: null,
        availability_start: null,
        availability_end: null,
        visibility_tiers: [],
        visibility_segments: [],
        usage_limit: null,
        usage_limit_per_client: null,
        categories: [],
        image: null,
        sort_order: 0,
        purchasable: true,
        notification_config: null,
        date_created: expect.stringMatching(/^\d{4}-.*Z$/),
        date_updated: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });

  test('keeps what is given, exactly', async () => {
    const body = {
      description: 'With oat milk',
      code_pattern: 'COFFEE-{RAND:6}',
      active: false,
      wallet_type_id: walletTypeId,
      monetary_value: 3.5,
      availability_start: '2026-01-01T00:00:00.000Z',
      availability_end: '2027-01-01T00:00:00.000Z',
      usage_limit: 100,
      usage_limit_per_client: 0,
      categories: ['drinks'],
      image: 'https://example.com/coffee.png',
      sort_order: -3,
      purchasable: false,
      notification_config: { send_on_redemption: true, body: 'Enjoy {{reward_name}}' },
    };
    expect(await newReward({ ...body, cost_in_points: 12.3456 })).toMatchObject({
      ...body,
      cost_in_points: 12.3456,
    });
  });

  test('that no wallet pays for is saved with a warning, unless it is not for sale', async () => {
    const own = await newWorkspace();
    const reward = { name: 'Free coffee', cost_in_points: 10 };
    const make = (more: object = {}) => own.post(':ws/rewards', { ...reward, ...more });
    const warned = { warnings: [{ field: 'wallet_type_id', message: expect.any(String) }] };
    const { body } = expectStatus(await make(), 200);
    expect(body.meta).toEqual(warned);
    expect((await make({ purchasable: true })).body.meta).toEqual(warned);
    expect((await make({ purchasable: false })).body.meta).toBeUndefined();
    const { id: wallet_type_id } = await newWalletType(own);
    expect((await make({ wallet_type_id })).body.meta).toBeUndefined();
    const path = `:ws/rewards/${body.data.id}`;
    expect((await own.patch(path, { purchasable: true })).body.meta).toEqual(warned);
    expect((await own.patch(path, { name: 'Tea' })).body.meta).toBeUndefined();
  });

  test('without a wallet type a reward is not purchasable, whatever was asked', async () => {
    expect(await newReward({ purchasable: true })).toMatchObject({ purchasable: false });
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(256) }, 'name'],
    ['no cost', { cost_in_points: undefined }, 'cost_in_points'],
    ['a negative cost', { cost_in_points: -1 }, 'cost_in_points'],
    ['a cost in text', { cost_in_points: '10' }, 'cost_in_points'],
    ['five decimals', { cost_in_points: 0.00001 }, 'cost_in_points'],
    ['a pattern without a token', { code_pattern: 'COFFEE' }, 'code_pattern'],
    ['a token too short', { code_pattern: 'COFFEE-{RAND:3}' }, 'code_pattern'],
    ['a negative limit', { usage_limit: -1 }, 'usage_limit'],
    ['half a use', { usage_limit_per_client: 0.5 }, 'usage_limit_per_client'],
    ['a wallet type of nowhere', { wallet_type_id: randomUUID() }, 'wallet_type_id'],
    ['a segment of nowhere', { visibility_segments: [randomUUID()] }, 'visibility_segments.0'],
    ['no UUID as tier', { visibility_tiers: ['gold'] }, 'visibility_tiers.0'],
    ['a push without a body', { notification_config: {} }, 'notification_config.body'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['workspace_id', { workspace_id: randomUUID() }, 'workspace_id'],
    [
      'an end before the start',
      {
        availability_start: '2026-02-01T00:00:00.000Z',
        availability_end: '2026-01-01T00:00:00.000Z',
      },
      'availability_end',
    ],
  ])('%s is refused with its field', async (_name, body, field) => {
    const reply = await create(body);
    expect([reply.status, reply.body.errors?.[0].extensions.code]).toEqual([
      400,
      'INVALID_PAYLOAD',
    ]);
    expect(fieldsOf(reply)).toContain(field);
  });
});

describe('GET :ws/rewards', () => {
  test('orders by sort_order, then newest first, and counts', async () => {
    const own = await newWorkspace();
    const ids: string[] = [];
    for (const [name, sort_order] of [
      ['c', 1],
      ['a', 0],
      ['b', 0],
    ] as const) {
      const body = { name, cost_in_points: 1, sort_order, active: name !== 'c' };
      ids.push(expectStatus(await own.post(':ws/rewards', body), 200).body.data.id);
    }
    const all = await own.get(':ws/rewards');
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1], ids[0]]);
    expect(all.body.meta).toEqual({ total_count: 3, returned_count: 3, offset: 0 });
    const page = await own.get(':ws/rewards', { limit: 1, offset: 1 });
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
    expect(page.body.meta).toEqual({ total_count: 3, returned_count: 1, offset: 1 });
    const active = await own.get(':ws/rewards', { active: true });
    expect(active.body.meta.total_count).toBe(2);
    expect((await own.get(':ws/rewards', { purchasable: true })).body.data).toEqual([]);
  });

  test.each([
    { limit: 0 },
    { limit: 1001 },
    { limit: 'many' },
    { offset: -1 },
    { active: 'maybe' },
  ])('%j is 400', async (query) => {
    expect(
      (await workspace.get(':ws/rewards', query as object as Record<string, string>)).status,
    ).toBe(400);
  });
});

describe('GET, PATCH, DELETE :ws/rewards/:id', () => {
  test('reads, changes only what is named, deletes', async () => {
    const reward = await newReward({ description: 'old', wallet_type_id: walletTypeId });
    expect((await workspace.get(`:ws/rewards/${reward.id}`)).body).toEqual({ data: reward });
    const patched = await workspace.patch(`:ws/rewards/${reward.id}`, {
      description: null,
      usage_limit: 5,
    });
    expect(expectStatus(patched, 200).body.data).toEqual({
      ...reward,
      description: null,
      usage_limit: 5,
      date_updated: expect.any(String),
    });
    const unpaid = await workspace.patch(`:ws/rewards/${reward.id}`, { wallet_type_id: null });
    expect(unpaid.body.data).toMatchObject({ wallet_type_id: null, purchasable: false });
    const { wallet_type_id } = reward;
    const paid = await workspace.patch(`:ws/rewards/${reward.id}`, { wallet_type_id });
    expect(paid.body.data).toMatchObject({ wallet_type_id, purchasable: true });
    const deleted = await workspace.del(`:ws/rewards/${reward.id}`);
    expect(expectStatus(deleted, 200).body).toEqual({ message: expect.any(String) });
    expect((await workspace.get(`:ws/rewards/${reward.id}`)).status).toBe(404);
  });

  test('a redeemed reward cannot be deleted: 409', async () => {
    const reward = await newReward({ cost_in_points: 0 });
    const client = await newClient(workspace);
    const body = { reward_id: reward.id, client_id: client.id };
    expectStatus(await workspace.post(':ws/rewards/redeem', body), 200);
    const reply = await workspace.del(`:ws/rewards/${reward.id}`);
    expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([409, 'CONFLICT']);
  });

  test('a change is checked together with what stays', async () => {
    const reward = await newReward({ availability_end: '2026-01-01T00:00:00.000Z' });
    const change = { availability_start: '2026-06-01T00:00:00.000Z' };
    const reply = await workspace.patch(`:ws/rewards/${reward.id}`, change);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['availability_end']]);
  });

  test('unknown, malformed and foreign ids', async () => {
    const elsewhere = await newWorkspace();
    const { id } = await newReward();
    for (const [method, path] of [
      ['get', ':ws/rewards/'],
      ['patch', ':ws/rewards/'],
      ['del', ':ws/rewards/'],
    ] as const) {
      expect((await workspace[method](`${path}${randomUUID()}`)).status).toBe(404);
      expect((await elsewhere[method](`${path}${id}`)).status).toBe(404);
      expect((await workspace[method](`${path}42`)).status).toBe(400);
    }
    expect((await elsewhere.get(`:ws/rewards/${id}/stats`)).status).toBe(404);
    expect((await elsewhere.get(`:ws/rewards/${id}/coupons`)).status).toBe(404);
  });

  test('a stranger is 403, a call without a token 403, a bad token 401', async () => {
    const stranger = callerFor((await newUser()).token, workspace.workspaceId);
    expect((await stranger.get(':ws/rewards')).status).toBe(403);
    expect((await callerFor('nonsense', workspace.workspaceId).get(':ws/rewards')).status).toBe(
      401,
    );
  });
});

describe('coupons', () => {
  const importInto = (id: string, codes: unknown) =>
    workspace.post(`:ws/rewards/${id}/coupons/import`, { codes });

  test('codes are imported once, whatever their case, and listed', async () => {
    const { id } = await newReward();
    const run = randomUUID().slice(0, 8);
    const first = await importInto(id, [`${run}-a`, `${run}-b`, `${run}-A`]);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({ data: { imported: 2, duplicates: 1 } });
    const again = await importInto(id, [`${run}-B`, `${run}-c`]);
    expect(again.body.data).toEqual({ imported: 1, duplicates: 1 });
    const list = await workspace.get(`:ws/rewards/${id}/coupons`, { status: 'available' });
    expect(list.body.meta).toEqual({ total: 3, limit: 50, offset: 0 });
    expect(list.body.data[0]).toEqual({
      id: expect.any(String),
      workspace_id: workspace.workspaceId,
      reward_id: id,
      code: `${run}-a`,
      status: 'available',
      redemption_id: null,
      imported: true,
      used_at: null,
      date_created: expect.any(String),
    });
    for (const status of ['issued', 'used', 'void'])
      expect((await workspace.get(`:ws/rewards/${id}/coupons`, { status })).body.data).toEqual([]);
  });

  test('ten thousand codes go in at once', async () => {
    const { id } = await newReward();
    const run = randomUUID().slice(0, 8);
    const codes = Array.from({ length: 10_000 }, (_, i) => `${run}-${i}`);
    const reply = await importInto(id, codes);
    expect(expectStatus(reply, 201).body.data).toEqual({ imported: 10_000, duplicates: 0 });
  });

  test.each([
    ['none', []],
    ['too short', ['abc']],
    ['too long', ['x'.repeat(65)]],
    ['with a space', ['ab cd']],
    ['no list', 'abcd'],
    ['no text', [1234]],
  ])('%s: 400', async (_name, codes) => {
    const { id } = await newReward();
    expect((await importInto(id, codes)).status).toBe(400);
  });

  test('an unknown reward is 404, a bad status or limit 400', async () => {
    expect((await importInto(randomUUID(), ['abcd'])).status).toBe(404);
    const { id } = await newReward();
    for (const query of [{ status: 'lost' }, { limit: 501 }, { limit: 0 }])
      expect(
        (
          await workspace.get(
            `:ws/rewards/${id}/coupons`,
            query as object as Record<string, string>,
          )
        ).status,
      ).toBe(400);
  });

  test('validate tells unknown, good, used and cancelled apart', async () => {
    const { id } = await newReward({ cost_in_points: 0, code_pattern: 'V-{RAND:8}' });
    const client = await newClient(workspace, { first_name: 'Ada' });
    const validate = async (code: string) =>
      expectStatus(await workspace.post(':ws/coupons/validate', { code }), 200).body.data;
    const body = { reward_id: id, client_id: client.id };
    const { redemption, coupon } = expectStatus(
      await workspace.post(':ws/rewards/redeem', body),
      200,
    ).body.data;
    expect(await validate(`nope-${randomUUID()}`)).toEqual({
      valid: false,
      reason: 'unknown',
      coupon: null,
      redemption: null,
      client: null,
    });
    expect(await validate(coupon.code.toLowerCase())).toEqual({
      valid: true,
      reason: null,
      coupon,
      redemption,
      client: { id: client.id, first_name: 'Ada', last_name: null, email: client.email },
    });
    expectStatus(await workspace.post(`:ws/rewards/redemptions/${redemption.id}/use`), 200);
    expect(await validate(coupon.code)).toMatchObject({ valid: false, reason: 'used' });
    expectStatus(await workspace.post(`:ws/rewards/redemptions/${redemption.id}/cancel`), 200);
    expect(await validate(coupon.code)).toMatchObject({ valid: false, reason: 'cancelled' });
    const elsewhere = await newWorkspace();
    const foreign = await elsewhere.post(':ws/coupons/validate', { code: coupon.code });
    expect(foreign.body.data).toMatchObject({ valid: false, reason: 'unknown', coupon: null });
  });
});
