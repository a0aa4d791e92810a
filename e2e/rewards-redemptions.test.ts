import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Reply } from './support/api';
import { onOneDay } from './support/days';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';

let workspace: TestWorkspace;
let walletType: { id: string; code: string };
beforeAll(async () => {
  workspace = await newWorkspace();
  walletType = await newWalletType(workspace);
});

const newReward = async (body: object = {}, owner = workspace) => {
  const reward = { name: 'Free coffee', cost_in_points: 10, wallet_type_id: walletType.id };
  return expectStatus(await owner.post(':ws/rewards', { ...reward, ...body }), 200).body.data;
};
const richClient = async (points: number): Promise<string> => {
  const { id } = await newClient(workspace);
  if (points > 0) {
    const earn = { client_id: id, amount: points };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', earn), 201);
  }
  return id;
};
const balanceOf = async (clientId: string): Promise<number> => {
  const { body } = expectStatus(await workspace.get(`:ws/clients/${clientId}/wallets`), 200);
  return body.data[0].wallet.active_balance;
};
const redeem = (reward_id: string, client_id: string, more: object = {}): Promise<Reply> =>
  workspace.post(':ws/rewards/redeem', { reward_id, client_id, ...more });
const redeemed = async (reward_id: string, client_id: string, more: object = {}) =>
  expectStatus(await redeem(reward_id, client_id, more), 200).body.data;
const reasonOf = ({ status, body }: Reply): unknown[] => [
  status,
  body.errors?.[0].extensions.code,
  body.errors?.[0].extensions.reason,
];
const refused = (reason: string) => [400, 'INVALID_PAYLOAD', reason];
const cancel = (id: string) => workspace.post(`:ws/rewards/redemptions/${id}/cancel`);
const use = (id: string, body: object = {}) =>
  workspace.post(`:ws/rewards/redemptions/${id}/use`, body);

describe('POST :ws/rewards/redeem', () => {
  test('takes the points, gives a coupon and answers with all of it', async () => {
    const reward = await newReward({ code_pattern: 'C-{RAND:6}', cost_in_points: 12.5 });
    const client = await richClient(20);
    const reply = await redeem(reward.id, client, { metadata: { till: 3 } });
    expect(reply.status).toBe(200);
    const { redemption, coupon, points_ledger_id } = reply.body.data;
    expect(Object.keys(reply.body.data).sort()).toEqual([
      'coupon',
      'points_ledger_id',
      'redemption',
    ]);
    expect(redemption).toEqual({
      id: expect.any(String),
      reward_id: reward.id,
      client_id: client,
      workspace_id: workspace.workspaceId,
      points_spent: 12.5,
      points_ledger_id,
      coupon_id: coupon.id,
      status: 'fulfilled',
      redemption_date: expect.stringMatching(/Z$/),
      source: 'admin',
      metadata: { till: 3 },
      used_at: null,
      cancelled_at: null,
      coupon_code: coupon.code,
      coupon_status: 'issued',
      reward_name: 'Free coffee',
      wallet_type_id: reward.wallet_type_id,
    });
    expect(coupon.code).toMatch(/^C-[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{6}$/);
    expect(await balanceOf(client)).toBe(7.5);
    const entry = await workspace.get(`:ws/loyalty/points/ledger/${points_ledger_id}`);
    expect(entry.body.data).toMatchObject({
      type: 'spend',
      amount: -12.5,
      source_type: 'redemption',
      source_id: redemption.id,
    });
    const read = await workspace.get(`:ws/rewards/redemptions/${redemption.id}`);
    expect(read.body).toEqual({ data: redemption });
  });

  test('a reward without a pattern gives no coupon, one without a wallet costs nothing', async () => {
    const reward = await newReward({ wallet_type_id: null, cost_in_points: 50 });
    const client = await richClient(0);
    expect(await redeemed(reward.id, client)).toMatchObject({
      coupon: null,
      points_ledger_id: null,
      redemption: { points_spent: 0, wallet_type_id: null, coupon_id: null, coupon_code: null },
    });
  });

  test('every refusal names its reason, the first that holds', async () => {
    const client = await richClient(5);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const [body, reason] of [
      [{ active: false, availability_start: tomorrow }, 'inactive'],
      [{ availability_start: tomorrow, usage_limit: 0 }, 'not_started'],
      [{ availability_end: yesterday, usage_limit: 0 }, 'ended'],
      [{ usage_limit: 0, usage_limit_per_client: 0 }, 'usage_limit_reached'],
      [{ usage_limit_per_client: 0 }, 'client_limit_reached'],
      [{}, 'insufficient_points'],
    ] as const) {
      const reward = await newReward(body);
      expect(reasonOf(await redeem(reward.id, client))).toEqual(refused(reason));
    }
    expectStatus(await workspace.patch(`:ws/clients/${client}`, { status: 'inactive' }), 200);
    // Said before the points that are missing as well.
    for (const cost_in_points of [0, 10]) {
      const reply = await redeem((await newReward({ cost_in_points })).id, client);
      expect(reasonOf(reply)).toEqual(refused('client_not_active'));
    }
    expect(await balanceOf(client)).toBe(5);
  });

  test('a reward or client of another workspace is 400 with its field', async () => {
    const elsewhere = await newWorkspace();
    const foreign = await newReward({ wallet_type_id: null }, elsewhere);
    const stranger = await newClient(elsewhere);
    const [reward, client] = [await newReward(), await richClient(10)];
    for (const [reply, field] of [
      [await redeem(foreign.id, client), 'reward_id'],
      [await redeem(reward.id, stranger.id), 'client_id'],
      [await redeem(randomUUID(), client), 'reward_id'],
    ] as const)
      expect([reply.status, reply.body.errors[0].extensions.field]).toEqual([400, field]);
  });

  test.each([
    [{ reward_id: undefined }, 'reward_id'],
    [{ client_id: '42' }, 'client_id'],
    [{ source: 'friend' }, 'source'],
    [{ metadata: 'x' }, 'metadata'],
    [{ skip_points_cost: 'yes' }, 'skip_points_cost'],
    [{ colour: 'red' }, 'colour'],
  ])('%j is 400', async (body, field) => {
    const reply = await redeem(randomUUID(), randomUUID(), body);
    expect([reply.status, reply.body.errors[0].extensions.field]).toEqual([400, field]);
  });

  test('skip_points_cost passes cost and limits, and does not count', async () => {
    const reward = await newReward({ usage_limit: 1, usage_limit_per_client: 1 });
    const client = await richClient(10);
    await redeemed(reward.id, client, { skip_points_cost: true });
    await redeemed(reward.id, client);
    expect(reasonOf(await redeem(reward.id, client))).toEqual(refused('usage_limit_reached'));
    await redeemed(reward.id, client, { skip_points_cost: true, send_notification: false });
    expect(await balanceOf(client)).toBe(0);
  });

  test('dry_run says what would happen and writes nothing', async () => {
    const reward = await newReward({ usage_limit: 1, code_pattern: '{RAND:8}' });
    const client = await richClient(15);
    const dry = async (more: object = {}) =>
      (await redeemed(reward.id, client, { dry_run: true, ...more })) as object;
    expect(await dry()).toEqual({
      would_succeed: true,
      reason: null,
      points_cost: 10,
      balance_after: 5,
    });
    expect(await dry({ skip_points_cost: true })).toMatchObject({
      points_cost: 0,
      balance_after: 15,
    });
    expect(await balanceOf(client)).toBe(15);
    const list = await workspace.get(':ws/rewards/redemptions', { reward_id: reward.id });
    expect(list.body.data).toEqual([]);
    await redeemed(reward.id, client);
    expect(await dry()).toMatchObject({ would_succeed: false, reason: 'usage_limit_reached' });
  });

  test('a double-click with a key is one redemption, replayed', async () => {
    const reward = await newReward({ code_pattern: '{RAND:8}' });
    const client = await richClient(100);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { reward_id: reward.id, client_id: client };
    const first = await workspace.post(':ws/rewards/redeem', body, headers);
    const second = await workspace.post(':ws/rewards/redeem', body, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await balanceOf(client)).toBe(90);
  });

  test('60 at once on a limit of 40: exactly 40 have it and only they pay', async () => {
    const reward = await newReward({ usage_limit: 40, code_pattern: '{RAND:8}' });
    const clients = await Promise.all(Array.from({ length: 60 }, () => richClient(10)));
    const replies = await Promise.all(clients.map((client) => redeem(reward.id, client)));
    const granted = replies.filter(({ status }) => status === 200);
    expect(granted).toHaveLength(40);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reasonOf(reply)).toEqual(refused('usage_limit_reached'));
    expect(new Set(granted.map(({ body }) => body.data.coupon.code)).size).toBe(40);
    const balances = await Promise.all(clients.map(balanceOf));
    expect(balances.filter((points) => points === 0)).toHaveLength(40);
    const stats = await workspace.get(`:ws/rewards/${reward.id}/stats`);
    expect(stats.body.data).toEqual({
      redeemed: 40,
      cancelled: 0,
      used: 0,
      remaining: 0,
      points_spent: 400,
    });
  });

  test('20 clicks at once on points for three never overdraw', async () => {
    const reward = await newReward();
    const client = await richClient(30);
    const replies = await Promise.all(Array.from({ length: 20 }, () => redeem(reward.id, client)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reasonOf(reply)).toEqual(refused('insufficient_points'));
    expect(await balanceOf(client)).toBe(0);
  });

  test('imported codes first; an import-only reward runs out and gets back what is cancelled', async () => {
    const reward = await newReward({ cost_in_points: 0 });
    const code = `ONLY-${randomUUID().slice(0, 8)}`;
    expectStatus(
      await workspace.post(`:ws/rewards/${reward.id}/coupons/import`, { codes: [code] }),
      201,
    );
    const client = await richClient(0);
    const { redemption, coupon } = await redeemed(reward.id, client);
    expect(coupon.code).toBe(code);
    expect(reasonOf(await redeem(reward.id, client))).toEqual(refused('out_of_coupons'));
    expectStatus(await cancel(redemption.id), 200);
    expect((await redeemed(reward.id, client)).coupon.code).toBe(code);
  });

  test('an import of duplicates only does not make a reward need coupons', async () => {
    const codes = [`TAKEN-${randomUUID().slice(0, 8)}`];
    const [first, second] = [await newReward(), await newReward({ cost_in_points: 0 })];
    for (const { id } of [first, second])
      expectStatus(await workspace.post(`:ws/rewards/${id}/coupons/import`, { codes }), 201);
    expect((await redeemed(second.id, await richClient(0))).coupon).toBeNull();
  });
});

describe('use and cancel', () => {
  test('used, unused, used again: coupon and redemption go together', async () => {
    const reward = await newReward({ cost_in_points: 0, code_pattern: '{RAND:8}' });
    const { redemption } = await redeemed(reward.id, await richClient(0));
    const used = expectStatus(await use(redemption.id), 200).body.data;
    expect(used.redemption).toMatchObject({ status: 'fulfilled', coupon_status: 'used' });
    expect(used.coupon).toMatchObject({ status: 'used', used_at: used.redemption.used_at });
    expect(used.redemption.used_at).toMatch(/Z$/);
    const again = expectStatus(await use(redemption.id, { used: true }), 200).body.data;
    expect(again.redemption.used_at).toBe(used.redemption.used_at);
    const unused = expectStatus(await use(redemption.id, { used: false }), 200).body.data;
    expect(unused.redemption).toMatchObject({ used_at: null, coupon_status: 'issued' });
    expect(unused.coupon).toMatchObject({ status: 'issued', used_at: null });
    expect((await use(redemption.id, { used: 'no' })).status).toBe(400);
  });

  test('cancelling refunds exactly, gives the use back and releases the coupon', async () => {
    const reward = await newReward({ usage_limit: 1, code_pattern: '{RAND:8}' });
    const client = await richClient(10);
    const { redemption } = await redeemed(reward.id, client);
    const { data } = expectStatus(await cancel(redemption.id), 200).body;
    expect(Object.keys(data).sort()).toEqual([
      'coupon',
      'points_ledger_id',
      'redemption',
      'refunded_points',
    ]);
    expect(data).toMatchObject({
      refunded_points: 10,
      redemption: { status: 'cancelled', coupon_status: 'available' },
      coupon: { status: 'available', redemption_id: null },
    });
    const entry = await workspace.get(`:ws/loyalty/points/ledger/${data.points_ledger_id}`);
    expect(entry.body.data).toMatchObject({ type: 'cancel', amount: 10 });
    expect(await balanceOf(client)).toBe(10);
    expect((await cancel(redemption.id)).status).toBe(400);
    expect((await use(redemption.id)).status).toBe(409);
    const stats = (await workspace.get(`:ws/rewards/${reward.id}/stats`)).body.data;
    expect(stats).toEqual({ redeemed: 1, cancelled: 1, used: 0, remaining: 1, points_spent: 0 });
    await redeemed(reward.id, client);
  });

  test('ten cancels and ten uses at once: one cancel, one refund, never used afterwards', async () => {
    const reward = await newReward({ code_pattern: '{RAND:8}' });
    const client = await richClient(10);
    const { redemption } = await redeemed(reward.id, client);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0 ? cancel(redemption.id) : use(redemption.id),
      ),
    );
    const cancels = replies.filter((_, i) => i % 2 === 0);
    expect(cancels.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(cancels.filter(({ status }) => status === 400)).toHaveLength(9);
    expect(await balanceOf(client)).toBe(10);
    const { data } = (await workspace.get(`:ws/rewards/redemptions/${redemption.id}`)).body;
    expect(data).toMatchObject({ status: 'cancelled', coupon_status: 'available' });
  });

  test('a code that was given back and has another holder shows at that one alone', async () => {
    const reward = await newReward({ cost_in_points: 0 });
    const codes = { codes: [`ONLY-${reward.id}`] };
    expectStatus(await workspace.post(`:ws/rewards/${reward.id}/coupons/import`, codes), 201);
    const shown = async (id: string) => {
      const { data } = (await workspace.get(`:ws/rewards/redemptions/${id}`)).body;
      return [data.status, data.coupon_code, data.coupon_status];
    };
    const first = (await redeemed(reward.id, await richClient(10))).redemption.id;
    expect(await shown(first)).toEqual(['fulfilled', codes.codes[0], 'issued']);
    await cancel(first);
    expect(await shown(first)).toEqual(['cancelled', codes.codes[0], 'available']);
    const second = (await redeemed(reward.id, await richClient(10))).redemption.id;
    expect(await shown(second)).toEqual(['fulfilled', codes.codes[0], 'issued']);
    expect(await shown(first)).toEqual(['cancelled', null, null]);
  });

  test('an unknown or foreign redemption is 400 everywhere, a malformed id too', async () => {
    const elsewhere = await newWorkspace();
    const { redemption } = await redeemed((await newReward()).id, await richClient(10));
    for (const [caller, id] of [
      [workspace, randomUUID()],
      [elsewhere, redemption.id],
      [workspace, '42'],
    ] as const) {
      const path = `:ws/rewards/redemptions/${id}`;
      for (const reply of [
        await caller.get(path),
        await caller.post(`${path}/use`),
        await caller.post(`${path}/cancel`),
      ])
        expect(reasonOf(reply).slice(0, 2)).toEqual([400, 'INVALID_PAYLOAD']);
    }
  });
});

describe('lists and figures', () => {
  let own: TestWorkspace;
  let rewards: { id: string }[];
  let client: { id: string };
  let day: string;
  beforeAll(() =>
    onOneDay(async (today) => {
      day = today;
      own = await newWorkspace();
      const { id: wallet_type_id } = await newWalletType(own);
      client = await newClient(own);
      const earn = { client_id: client.id, amount: 1_000 };
      expectStatus(await own.post(':ws/loyalty/points/earn', earn), 201);
      rewards = [];
      for (const [name, times] of [
        ['Often', 3],
        ['Once', 1],
      ] as const) {
        const reward = await newReward({ name, wallet_type_id }, own);
        rewards.push(reward);
        for (let i = 0; i < times; i += 1) {
          const body = { reward_id: reward.id, client_id: client.id };
          const source = name === 'Once' ? 'mobile' : 'admin';
          expectStatus(await own.post(':ws/rewards/redeem', { ...body, source }), 200);
        }
      }
      const { body } = await own.get(':ws/rewards/redemptions', { reward_id: rewards[0]!.id });
      const path = `:ws/rewards/redemptions/${body.data[0].id}/cancel`;
      expectStatus(await own.post(path), 200);
    }),
  );
  const list = async (query: Record<string, string | number> = {}) =>
    expectStatus(await own.get(':ws/rewards/redemptions', query), 200).body;

  test('redemptions come newest first, filtered and counted', async () => {
    const all = await list();
    expect(all.meta).toEqual({ total_count: 4, returned_count: 4, offset: 0 });
    const dates = all.data.map((row: { redemption_date: string }) => row.redemption_date);
    expect(dates).toEqual([...dates].sort().reverse());
    const page = await list({ limit: 1, offset: 1 });
    expect(page.data).toEqual([all.data[1]]);
    expect(page.meta).toEqual({ total_count: 4, returned_count: 1, offset: 1 });
    for (const [query, total] of [
      [{ reward_id: rewards[1]!.id }, 1],
      [{ client_id: client.id }, 4],
      [{ status: 'cancelled' }, 1],
      [{ status: 'fulfilled' }, 3],
      [{ status: 'pending' }, 0],
      [{ source: 'mobile' }, 1],
      [{ from_date: day, to_date: day }, 4],
      [{ to_date: '2020-01-01' }, 0],
      [{ workspace_id: workspace.workspaceId }, 4],
    ] as const)
      expect((await list(query as Record<string, string>)).meta.total_count).toBe(total);
    for (const query of [{ limit: 501 }, { limit: 0 }, { status: 'x' }, { reward_id: '42' }])
      expect(
        (await own.get(':ws/rewards/redemptions', query as object as Record<string, string>))
          .status,
      ).toBe(400);
    for (const field of ['reward_id', 'client_id']) {
      const reply = await own.get(':ws/rewards/redemptions', { [field]: randomUUID() });
      const { code, field: named } = expectStatus(reply, 400).body.errors[0].extensions;
      expect([code, named]).toEqual(['INVALID_PAYLOAD', field]);
    }
  });

  test('top ranks rewards; limit is clamped', async () => {
    const top = async (body: object = {}) =>
      expectStatus(await own.post(':ws/rewards/redemptions/top', body), 200).body.data;
    const [often, once] = rewards;
    expect(await top()).toEqual({
      rewards: [
        { reward_id: often!.id, reward_name: 'Often', redemption_count: 3, points_spent: 30 },
        { reward_id: once!.id, reward_name: 'Once', redemption_count: 1, points_spent: 10 },
      ],
      total_count: 4,
      total_points_spent: 40,
    });
    expect((await top({ limit: 0 })).rewards).toHaveLength(1);
    expect((await top({ limit: 1000 })).rewards).toHaveLength(2);
    expect(await top({ exclude_cancelled: true })).toMatchObject({ total_count: 3 });
    expect(await top({ status: 'cancelled', exclude_cancelled: true })).toMatchObject({
      total_count: 1,
    });
    expect(await top({ to_date: '2020-01-01' })).toEqual({
      rewards: [],
      total_count: 0,
      total_points_spent: 0,
    });
    expect((await own.post(':ws/rewards/redemptions/top', { limit: 'x' })).status).toBe(400);
  });

  test('aggregate counts, over time if wanted', async () => {
    const aggregate = async (body: object = {}) =>
      expectStatus(await own.post(':ws/rewards/redemptions/aggregate', body), 200).body.data;
    expect(await aggregate()).toEqual({ count: 4, points_spent: 40 });
    expect(await aggregate({ group_by_time: 'day', exclude_cancelled: true })).toEqual({
      count: 3,
      points_spent: 30,
      buckets: [{ date: day, count: 3, points_spent: 30 }],
    });
    const monthly = await aggregate({ group_by_time: 'month' });
    expect(monthly.buckets).toEqual([
      { date: `${day.slice(0, 7)}-01`, count: 4, points_spent: 40 },
    ]);
    const bad = await own.post(':ws/rewards/redemptions/aggregate', { group_by_time: 'year' });
    expect(bad.status).toBe(400);
  });
});

test('merging clients moves their redemptions', async () => {
  const reward = await newReward({ cost_in_points: 0, usage_limit_per_client: 1 });
  const [source, target] = [await richClient(0), await richClient(0)];
  const { redemption } = await redeemed(reward.id, source);
  const merge = { source_client_id: source, target_client_id: target };
  expectStatus(await workspace.post(':ws/clients/merge', merge), 200);
  await until(async () => {
    const read = await workspace.get(`:ws/rewards/redemptions/${redemption.id}`);
    return read.body.data.client_id === target;
  });
  expect(reasonOf(await redeem(reward.id, target))).toEqual(refused('client_limit_reached'));
});

test('lists say whose their rows are where that is asked for, and nothing more where it is not', async () => {
  const reward = await newReward({ cost_in_points: 0 });
  const bo = await newClient(workspace, { first_name: 'Bo' });
  await redeemed(reward.id, bo.id);
  const path = `:ws/rewards/redemptions?reward_id=${reward.id}`;
  const [row] = expectStatus(await workspace.get(`${path}&expand=client`), 200).body.data;
  expect(row.client).toEqual({ id: bo.id, first_name: 'Bo', last_name: null, email: bo.email });
  const [plain] = expectStatus(await workspace.get(path), 200).body.data;
  expect(plain).not.toHaveProperty('client');
  expectStatus(await workspace.get(`${path}&expand=reward`), 400);
  expectStatus(await workspace.get(':ws/automations/executions?expand=client'), 200);
});
