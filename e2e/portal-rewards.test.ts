import { randomUUID } from 'node:crypto';
import { call, type Reply } from './support/api';
import { expectStatus, newWalletType, newWorkspace, type TestWorkspace } from './support/factories';
import { answer, newCustomer, newPortal } from './support/portal';

/** A PNG of one red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let workspace: TestWorkspace;
let walletType: { id: string; code: string };
beforeEach(async () => {
  workspace = await newPortal();
  walletType = await newWalletType(workspace, {
    name: 'Crumbs',
    unit_singular_name: 'crumb',
    unit_plural_name: 'crumbs',
  });
});

/** What pays, in its own words. */
const crumbs = () => ({
  wallet_type_id: walletType.id,
  wallet_type_code: walletType.code,
  wallet_type_name: 'Crumbs',
  unit_singular_name: 'crumb',
  unit_plural_name: 'crumbs',
});

const newReward = async (body: object = {}, owner = workspace) => {
  const reward = { name: 'Free coffee', cost_in_points: 10, wallet_type_id: walletType.id };
  return expectStatus(await owner.post(':ws/rewards', { ...reward, ...body }), 200).body.data;
};
const customerWith = async (points: number) => {
  const customer = await newCustomer(workspace);
  if (points > 0) {
    const earn = { client_id: customer.id, amount: points };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', earn), 201);
  }
  return customer;
};
const balanceOf = async (customer: { get(path: string): Promise<Reply> }): Promise<number> =>
  expectStatus(await customer.get('/balance'), 200).body.data[0].active_balance;
const UNKNOWN = [404, { error: 'the reward does not exist' }];

describe('GET /public/loyalty/rewards', () => {
  test('shows what points can buy, and how the client stands to it', async () => {
    const coffee = await newReward({ sort_order: 1, description: 'A small one', image: '/c.png' });
    const cake = await newReward({ sort_order: 2, name: 'Cake', cost_in_points: 12.5 });
    const later = await newReward({
      sort_order: 3,
      name: 'Later',
      availability_start: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await newReward({ name: 'Off', active: false });
    await newReward({ name: 'A present', purchasable: false });
    await newReward({ name: 'No wallet', wallet_type_id: null });
    const customer = await customerWith(10);
    const { status, body } = await customer.get('/rewards');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: coffee.id,
          name: 'Free coffee',
          description: 'A small one',
          image_url: '/c.png',
          cost_points: 10,
          wallet: crumbs(),
          can_afford: true,
          is_locked: false,
          reason: null,
        },
        {
          id: cake.id,
          name: 'Cake',
          description: null,
          image_url: null,
          cost_points: 12.5,
          wallet: crumbs(),
          can_afford: false,
          is_locked: false,
          reason: 'insufficient_points',
        },
        expect.objectContaining({
          id: later.id,
          can_afford: true,
          is_locked: true,
          reason: 'not_started',
        }),
      ],
    });
  });

  test('leads to the picture of a reward that was uploaded, in capitals too, and keeps an address as it is', async () => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(PIXEL)]), 'dot.png');
    body.set('workspace_id', workspace.workspaceId);
    const stored = await call('POST', '/files', { token: workspace.token, body });
    const { id } = expectStatus(stored, 201).body.data;
    const outside = 'https://shop.example/coffee.png';
    await newReward({ sort_order: 1, image: id });
    await newReward({ sort_order: 2, image: ` ${id.toUpperCase()}` });
    const linked = await newReward({ sort_order: 3, image: outside });
    const customer = await customerWith(0);
    const listed = expectStatus(await customer.get('/rewards'), 200).body.data;
    const pictures: string[] = listed.map((reward: { image_url: string }) => reward.image_url);
    expect(pictures).toEqual([pictures[0], pictures[0], outside]);
    const { pathname, search } = new URL(pictures[0]!);
    const picture = expectStatus(await call('GET', `!${pathname}${search}`), 200);
    expect(picture.headers.get('content-type')).toBe('image/png');
    const one = expectStatus(await customer.get(`/rewards/${listed[0].id}`), 200).body.data;
    expect(one.image_url).toBe(pictures[0]);
    const other = expectStatus(await customer.get(`/rewards/${linked.id}`), 200).body.data;
    expect(other.image_url).toBe(outside);
  });

  test('shows a reward of another tier as locked', async () => {
    expectStatus(await workspace.post(':ws/tiers/set', { name: 'Club' }), 201);
    const tier = { name: 'VIP', kind: 'exclusive', condition_values: {} };
    const { body } = expectStatus(await workspace.post(':ws/tiers', tier), 201);
    await newReward({ visibility_tiers: [body.data.id] });
    const customer = await customerWith(50);
    expect((await customer.get('/rewards')).body.data).toEqual([
      expect.objectContaining({ can_afford: true, is_locked: true, reason: 'tier_locked' }),
    ]);
  });
});

describe('GET /public/loyalty/rewards/:id', () => {
  test('shows one, without its limits and its coupon pattern', async () => {
    const reward = await newReward({
      code_pattern: 'C-{RAND:6}',
      usage_limit: 3,
      categories: ['drinks'],
      monetary_value: 4.5,
    });
    const customer = await customerWith(10);
    expect(answer(await customer.get(`/rewards/${reward.id}`))).toEqual([
      200,
      {
        data: {
          id: reward.id,
          name: 'Free coffee',
          description: null,
          image_url: null,
          cost_points: 10,
          wallet: crumbs(),
          can_afford: true,
          is_locked: false,
          reason: null,
          cost_in_points: 10,
          wallet_type_id: walletType.id,
          monetary_value: 4.5,
          categories: ['drinks'],
          availability_start: null,
          availability_end: null,
        },
      },
    ]);
  });

  test('does not know what the list would not show, nor what is elsewhere', async () => {
    const hidden = [
      await newReward({ active: false }),
      await newReward({ purchasable: false }),
      await newReward({ availability_end: new Date(Date.now() - 1_000).toISOString() }),
      await newReward({ wallet_type_id: null }, await newWorkspace()),
      { id: randomUUID() },
    ];
    const customer = await customerWith(10);
    for (const { id } of hidden)
      expect(answer(await customer.get(`/rewards/${id}`))).toEqual(UNKNOWN);
    expect((await customer.get('/rewards/42')).status).toBe(400);
  });
});

describe('POST /public/loyalty/rewards/:id/redeem', () => {
  test('takes the points and gives a coupon, as the client’s own doing', async () => {
    const reward = await newReward({ code_pattern: 'C-{RAND:6}' });
    const customer = await customerWith(25);
    const { status, body } = await customer.post(`/rewards/${reward.id}/redeem`, {
      metadata: { shop: 7 },
    });
    expect([status, body]).toEqual([
      200,
      {
        data: {
          redemption_id: expect.any(String),
          status: 'fulfilled',
          reward_name: 'Free coffee',
          coupon_code: expect.stringMatching(/^C-[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{6}$/),
          coupon_status: 'issued',
          redeemed_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
    ]);
    expect(await balanceOf(customer)).toBe(15);
    const stored = await workspace.get(`:ws/rewards/redemptions/${body.data.redemption_id}`);
    expect(stored.body.data).toMatchObject({
      source: 'self_serve',
      client_id: customer.id,
      points_spent: 10,
      metadata: { shop: 7 },
    });
  });

  test('gives no coupon where the reward has none', async () => {
    const reward = await newReward();
    const customer = await customerWith(10);
    const { body } = expectStatus(await customer.post(`/rewards/${reward.id}/redeem`), 200);
    expect(body.data).toMatchObject({ coupon_code: null, coupon_status: null });
  });

  test.each([
    ['insufficient_points', { cost_in_points: 11 }],
    ['inactive', { active: false }],
    ['not_purchasable', { purchasable: false }],
    ['not_started', { availability_start: '2999-01-01T00:00:00Z' }],
    ['ended', { availability_end: '2001-01-01T00:00:00Z' }],
    ['usage_limit_reached', { usage_limit: 0 }],
    ['client_limit_reached', { usage_limit_per_client: 0 }],
  ])('is refused as %s, and nothing moves', async (reason, overrides) => {
    const reward = await newReward(overrides);
    const customer = await customerWith(10);
    const reply = await customer.post(`/rewards/${reward.id}/redeem`);
    expect(answer(reply)).toEqual([400, { error: reason }]);
    expect(await balanceOf(customer)).toBe(10);
    expect((await customer.get('/redemptions')).body.meta.total).toBe(0);
  });

  test('knows no reward of another workspace', async () => {
    const foreign = await newReward({ wallet_type_id: null }, await newWorkspace());
    const customer = await customerWith(10);
    expect(answer(await customer.post(`/rewards/${foreign.id}/redeem`))).toEqual(UNKNOWN);
  });

  test.each([[{ metadata: 'x' }], [{ metadata: null }], [{ client_id: randomUUID() }]])(
    'refuses %j',
    async (body) => {
      const reward = await newReward();
      const customer = await customerWith(10);
      const reply = await customer.post(`/rewards/${reward.id}/redeem`, body);
      expect(answer(reply)).toEqual([400, { error: expect.any(String) }]);
      expect(await balanceOf(customer)).toBe(10);
    },
  );

  test('never spends points twice, however many taps there are', async () => {
    const reward = await newReward({ code_pattern: 'C-{RAND:6}' });
    const customer = await customerWith(25);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => customer.post(`/rewards/${reward.id}/redeem`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      200, 200, 400, 400, 400, 400, 400, 400,
    ]);
    const codes = replies.flatMap(({ body }) => body.data?.coupon_code ?? []);
    expect(new Set(codes).size).toBe(2);
    expect(await balanceOf(customer)).toBe(5);
    expect((await customer.get('/redemptions')).body.meta.total).toBe(2);
  });

  test('gives the last one to one of two clients', async () => {
    const reward = await newReward({ usage_limit: 1 });
    const [ann, bob] = [await customerWith(10), await customerWith(10)];
    const replies = await Promise.all(
      [ann, bob].map((customer) => customer.post(`/rewards/${reward.id}/redeem`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await balanceOf(ann)) + (await balanceOf(bob))).toBe(10);
  });

  test('repeats its answer under an Idempotency-Key, which is each client’s own', async () => {
    const reward = await newReward({ code_pattern: 'C-{RAND:6}' });
    const [ann, bob] = [await customerWith(30), await customerWith(30)];
    const key = { 'Idempotency-Key': 'tap-1' };
    const path = `/rewards/${reward.id}/redeem`;
    const first = expectStatus(await ann.post(path, {}, key), 200);
    const again = expectStatus(await ann.post(path, {}, key), 200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await balanceOf(ann)).toBe(20);
    const other = expectStatus(await bob.post(path, {}, key), 200);
    expect(other.body.data.coupon_code).not.toBe(first.body.data.coupon_code);
    expect(await balanceOf(bob)).toBe(20);
  });

  test('under one Idempotency-Key at once takes place once, and tells the others when to come again', async () => {
    const reward = await newReward({ code_pattern: 'C-{RAND:6}' });
    const ann = await customerWith(30);
    const tap = () =>
      ann.post(`/rewards/${reward.id}/redeem`, {}, { 'Idempotency-Key': 'three taps' });
    const replies = await Promise.all([tap(), tap(), tap()]);
    const [first, ...others] = replies.sort((a, b) => a.status - b.status);
    const { coupon_code } = expectStatus(first!, 200).body.data;
    for (const other of others) {
      // Who comes while the first is at work waits; who comes after it hears its answer.
      if (other.status === 200) expect(other.body.data.coupon_code).toBe(coupon_code);
      else expect([other.status, other.headers.get('retry-after')]).toEqual([409, '1']);
    }
    expect(await balanceOf(ann)).toBe(20);
    expect((await ann.get('/redemptions')).body.meta.total).toBe(1);
  });
});

describe('GET /public/loyalty/redemptions', () => {
  test('lists the client’s own, newest first, with what became of the coupon', async () => {
    const coffee = await newReward({ code_pattern: 'C-{RAND:6}' });
    const cake = await newReward({ name: 'Cake', cost_in_points: 5 });
    const customer = await customerWith(30);
    const other = await customerWith(10);
    const redeem = async (id: string, who = customer) =>
      expectStatus(await who.post(`/rewards/${id}/redeem`), 200).body.data;
    const first = await redeem(coffee.id);
    const second = await redeem(cake.id);
    await redeem(coffee.id, other);
    expectStatus(await workspace.post(`:ws/rewards/redemptions/${first.redemption_id}/use`), 200);
    const { status, body } = await customer.get('/redemptions');
    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            id: second.redemption_id,
            reward_id: cake.id,
            reward_name: 'Cake',
            cost_points: 5,
            wallet: crumbs(),
            status: 'fulfilled',
            redeemed_at: expect.stringMatching(/Z$/),
            coupon_code: null,
            coupon_status: null,
            used_at: null,
            handed_over: false,
          },
          {
            id: first.redemption_id,
            reward_id: coffee.id,
            reward_name: 'Free coffee',
            cost_points: 10,
            wallet: crumbs(),
            status: 'fulfilled',
            redeemed_at: expect.stringMatching(/Z$/),
            coupon_code: first.coupon_code,
            coupon_status: 'used',
            used_at: expect.stringMatching(/Z$/),
            handed_over: true,
          },
        ],
        meta: { total: 2, limit: 20, offset: 0 },
      },
    ]);
    const page = await customer.get('/redemptions', { limit: 1, offset: 1 });
    expect(page.body).toEqual({
      data: [expect.objectContaining({ id: first.redemption_id })],
      meta: { total: 2, limit: 1, offset: 1 },
    });
  });

  test('names the wallet that paid, whatever pays for the reward now', async () => {
    const reward = await newReward();
    const free = await newReward({ name: 'Free', cost_in_points: 0 });
    const customer = await customerWith(10);
    for (const { id } of [reward, free])
      expectStatus(await customer.post(`/rewards/${id}/redeem`), 200);
    const stars = await newWalletType(workspace, { name: 'Stars' });
    const change = { wallet_type_id: stars.id };
    expectStatus(await workspace.patch(`:ws/rewards/${reward.id}`, change), 200);
    const [nothing, paid] = (await customer.get('/redemptions')).body.data;
    expect(paid).toMatchObject({ cost_points: 10, wallet: crumbs() });
    expect(nothing).toMatchObject({ cost_points: 0, wallet: null });
    const now = (await customer.get(`/rewards/${reward.id}`)).body.data;
    expect(now.wallet).toMatchObject({ wallet_type_id: stars.id, unit_plural_name: null });
  });

  test.each([
    ['limit', 0],
    ['limit', 101],
    ['limit', 'x'],
    ['offset', -1],
  ])('refuses a %s of %s', async (name, value) => {
    const customer = await newCustomer(workspace);
    const reply = await customer.get('/redemptions', { [name]: value });
    expect(answer(reply)).toEqual([400, { error: expect.any(String) }]);
  });
});
