import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Reply } from '../support/api';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from '../support/factories';
import { insistOnAll } from '../support/insist';
import { buy } from '../support/purchases';
import { closeEnrollment, NO_REFERRALS, pending, programIn, stats } from '../support/referrals';

jest.setTimeout(300_000);
afterAll(closeEnrollment);

const points = ':ws/loyalty/points';
const withStatus = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status);
/** How often each status came, or each reason where one was given. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const outcome = body.errors?.[0].extensions.reason ?? String(status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

interface Shop extends TestWorkspace {
  walletTypeId: string;
}

/** A workspace with a session of its own: what races here uses up no other's limit. */
async function newShop(): Promise<Shop> {
  const workspace = await newWorkspace();
  const { id: walletTypeId } = await newWalletType(workspace);
  return { ...workspace, walletTypeId };
}

async function clientsOf(shop: Shop, count: number, balance: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => newClient(shop)));
  const ids = made.map(({ id }) => id);
  const operations = ids.map((client_id) => ({ op: 'earn', client_id, amount: balance }));
  const reply = expectStatus(await shop.post(`${points}/batch`, { operations }), 200);
  expect(reply.body.data.failed).toBe(0);
  return ids;
}

async function newReward(shop: Shop, body: object): Promise<string> {
  const reward = { name: 'Free coffee', cost_in_points: 10, wallet_type_id: shop.walletTypeId };
  return expectStatus(await shop.post(':ws/rewards', { ...reward, ...body }), 200).body.data.id;
}

const redeemAll = (shop: Shop, reward_id: string, clientIds: readonly string[]) =>
  insistOnAll(
    shop,
    clientIds.map((client_id) => ({ path: ':ws/rewards/redeem', body: { reward_id, client_id } })),
  );
const statsOf = async (shop: Shop, rewardId: string) =>
  expectStatus(await shop.get(`:ws/rewards/${rewardId}/stats`), 200).body.data;
const balanceOf = async (shop: Shop, clientId: string): Promise<number> =>
  (await shop.get(`:ws/clients/${clientId}/wallets`)).body.data[0].wallet.active_balance;

/** What all wallets hold together, once nothing is on its way any more; the log is proved besides. */
async function totalOf(shop: Shop): Promise<number> {
  const { body } = expectStatus(await shop.post(`${points}/verify`), 200);
  expect(body.data).toMatchObject({ valid: true, problems: [] });
  return (await shop.get(`${points}/summary`)).body.data.active_liability;
}

describe('redeeming on two replicas', () => {
  test('150 at once on a limit of 100: exactly 100 have it, and only they pay', async () => {
    const shop = await newShop();
    const rewardId = await newReward(shop, { usage_limit: 100, code_pattern: '{RAND:8}' });
    const clients = await clientsOf(shop, 150, 10);
    const replies = await redeemAll(shop, rewardId, clients);
    expect(tally(replies)).toEqual({ 200: 100, usage_limit_reached: 50 });
    const granted = withStatus(replies, 200);
    expect(new Set(granted.map(({ body }) => body.data.coupon.code)).size).toBe(100);
    expect(await statsOf(shop, rewardId)).toMatchObject({
      redeemed: 100,
      remaining: 0,
      points_spent: 1_000,
    });
    expect(await totalOf(shop)).toBe(500);
  });

  test('40 clicks of one client on a limit of 3 each: three redemptions, three payments', async () => {
    const shop = await newShop();
    const rewardId = await newReward(shop, { usage_limit_per_client: 3 });
    const [client = '', other = ''] = await clientsOf(shop, 2, 1_000);
    const replies = await redeemAll(shop, rewardId, Array(40).fill(client));
    expect(tally(replies)).toEqual({ 200: 3, client_limit_reached: 37 });
    expect(await balanceOf(shop, client)).toBe(970);
    expect(tally(await redeemAll(shop, rewardId, [other]))).toEqual({ 200: 1 });
  });

  test('60 at once on a pool of 40 coupons: each coupon goes to one, the rest pay nothing', async () => {
    const shop = await newShop();
    const rewardId = await newReward(shop, { code_pattern: null });
    const codes = Array.from({ length: 40 }, () => `POOL-${randomUUID()}`);
    const imported = await shop.post(`:ws/rewards/${rewardId}/coupons/import`, { codes });
    expect(expectStatus(imported, 201).body.data).toEqual({ imported: 40, duplicates: 0 });
    const clients = await clientsOf(shop, 60, 10);
    const replies = await redeemAll(shop, rewardId, clients);
    expect(tally(replies)).toEqual({ 200: 40, out_of_coupons: 20 });
    const granted = withStatus(replies, 200).map(({ body }) => body.data.coupon.code);
    expect(granted.sort()).toEqual(codes.sort());
    expect(await statsOf(shop, rewardId)).toMatchObject({ redeemed: 40, points_spent: 400 });
    expect(await totalOf(shop)).toBe(200);
  });

  test('cancel against use against cancel: one refund, and one end of it', async () => {
    const shop = await newShop();
    const rewardId = await newReward(shop, { code_pattern: '{RAND:8}' });
    const clients = await clientsOf(shop, 8, 10);
    const redeemed = await redeemAll(shop, rewardId, clients);
    expect(tally(redeemed)).toEqual({ 200: 8 });
    await Promise.all(
      redeemed.map(async ({ body }) => {
        const { id, client_id: client } = body.data.redemption;
        const path = `:ws/rewards/redemptions/${id}`;
        const steps = ['cancel', 'use', 'cancel', 'use', 'cancel', 'use'];
        const wishes = steps.map((step) => ({ path: `${path}/${step}` }));
        const replies = await insistOnAll(shop, wishes);
        const cancels = replies.filter((_, at) => steps[at] === 'cancel');
        expect(withStatus(cancels, 200)).toHaveLength(1);
        expect(withStatus(cancels, 400)).toHaveLength(2);
        const { data } = (await shop.get(path)).body;
        expect(data).toMatchObject({ status: 'cancelled', coupon_status: 'available' });
        expect(await balanceOf(shop, client)).toBe(10);
        const ledger = await shop.get(`:ws/clients/${client}/points/ledger`);
        expect(ledger.body.data.map(({ type }: { type: string }) => type)).toEqual([
          'cancel',
          'spend',
          'earn',
        ]);
      }),
    );
    expect(await statsOf(shop, rewardId)).toMatchObject({ cancelled: 8, points_spent: 0 });
    expect(await totalOf(shop)).toBe(80);
  });
});

describe('points on two replicas', () => {
  test('200 spends of 10 at once on 1000: exactly 100 succeed', async () => {
    const shop = await newShop();
    const [client_id = ''] = await clientsOf(shop, 1, 1_000);
    const spend = { path: `${points}/spend`, body: { client_id, amount: 10 } };
    const replies = await insistOnAll(shop, Array(200).fill(spend));
    expect(tally(replies)).toEqual({ 201: 100, insufficient_balance: 100 });
    const balances = withStatus(replies, 201).map(({ body }) => body.data.balance_after);
    expect(balances.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i * 10));
    expect(await totalOf(shop)).toBe(0);
  });

  test('merging somebody who earns and spends meanwhile keeps the total', async () => {
    const shop = await newShop();
    const [source = '', target = ''] = await clientsOf(shop, 2, 500);
    const move = (operation: string, client_id: string, amount: number) => ({
      path: `${points}/${operation}`,
      body: { client_id, amount },
    });
    const merge = { source_client_id: source, target_client_id: target };
    const moves = Array.from({ length: 20 }, () => [
      move('earn', source, 7),
      move('spend', source, 3),
      move('earn', target, 5),
      move('spend', target, 2),
    ]).flat();
    const wishes = [{ path: ':ws/clients/merge', body: merge }, ...moves];
    const [merged, ...replies] = await insistOnAll(shop, wishes);
    expectStatus(merged!, 200);
    const moved = withStatus(replies, 201).map(({ body }) => body.data.amount as number);
    const expected = moved.reduce((sum, amount) => sum + amount, 1_000);
    // Those that came too late for the source heard so; nothing else may have failed.
    for (const reply of replies) expect([201, 400, 404]).toContain(reply.status);
    await until(async () => (await balanceOf(shop, target)) === expected);
    expect(await totalOf(shop)).toBe(expected);
  });
});

describe('referrals on two replicas', () => {
  test('of 12 referees who buy at once exactly as many count as the cap of 5 allows', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace, { max_referrals_per_referrer: 5 });
    const first = await pending(workspace);
    const rest = [];
    for (let made = 1; made < 12; made += 1) rest.push(await pending(workspace, first.referrer));
    const bought = await Promise.all(
      [first, ...rest].map(({ referee }) => buy(workspace, referee.id)),
    );
    expect(bought).toHaveLength(12);
    await until(async () => (await stats(workspace)).completed === 5);
    // A purchase by somebody without a referrer is heard of after all of these.
    const late = await pending(workspace);
    await buy(workspace, late.referee.id);
    await until(async () => (await stats(workspace)).completed === 6);
    expect(await stats(workspace)).toEqual({ ...NO_REFERRALS, pending: 7, completed: 6 });
  });

  test('one completed by hand many times at once is completed once', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace);
    const { id } = await pending(workspace);
    const clicks = Array.from({ length: 10 }, () => workspace.post(`:ws/referrals/${id}/complete`));
    const replies = await Promise.all(clicks);
    expect(withStatus(replies, 200)).toHaveLength(1);
    expect(withStatus(replies, 409)).toHaveLength(9);
    expect(await stats(workspace)).toEqual({ ...NO_REFERRALS, completed: 1 });
  });
});
