import { newId } from '@laurel/lifecycle';
import { isTransient } from '@laurel/mongo';
import { Killed, killedAt } from '../testing/crash';
import { ABANDONED_MS, Harness } from '../testing/harness';
import { broken } from '../testing/invariants';
import { cancelRedemption } from './cancel-redemption';
import { importCoupons } from './import-coupons';
import { redeemReward } from './redeem-reward';
import { sweepCancellations } from './sweep-cancellations';
import { sweepRedemptions } from './sweep-redemptions';

const LINGER_MS = 10 * 60_000;

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

/** As if two replicas swept, once what was left behind counts as abandoned. */
async function sweep(): Promise<void> {
  harness.clock.advanceMs(ABANDONED_MS + 1);
  const other = await harness.anotherInstance();
  await Promise.all([sweepRedemptions(harness.deps), sweepRedemptions(other)]);
  await Promise.all([sweepCancellations(harness.deps), sweepCancellations(other)]);
}

const redemptionsOf = async (clientId: string) =>
  (await harness.deps.redemptions.list(harness.workspaceId, { clientId }, { limit: 10, offset: 0 }))
    .redemptions;

/** What a redemption that never was leaves: nothing. */
async function expectNoTrace(clientId: string, rewardId: string): Promise<void> {
  expect(await redemptionsOf(clientId)).toEqual([]);
  expect(harness.ledger.balanceOf(clientId)).toBe(10);
  expect((await harness.deps.rewards.find(harness.workspaceId, rewardId))!.used).toBe(0);
  expect(await harness.deps.usages.countOf(harness.workspaceId, { rewardId, clientId })).toBe(0);
  const { coupons } = await harness.deps.coupons.list(harness.workspaceId, rewardId, undefined, {
    limit: 10,
    offset: 0,
  });
  expect(coupons.every(({ status, imported }) => imported && status === 'available')).toBe(true);
}

const kinds = [
  ['generated', { code_pattern: 'C{RAND:8}', usage_limit: 5, usage_limit_per_client: 2 }],
  ['imported', { usage_limit: 5 }],
] as const;

describe.each(kinds)('redeeming with a coupon that is %s', (kind, fields) => {
  async function newReward() {
    const reward = await harness.newReward({ ...fields });
    if (kind === 'imported')
      await importCoupons(harness.deps, {
        workspace_id: harness.workspaceId,
        reward_id: reward.id,
        codes: [newId()],
      });
    return reward;
  }

  test('killed at any call, before or after it: it is fulfilled whole or leaves no trace', async () => {
    const outcomes: Record<string, number> = { fulfilled: 0, gone: 0 };
    for (let position = 1, isOver = false; !isOver; position += 1) {
      for (const moment of ['before', 'after'] as const) {
        const [reward, client] = [await newReward(), harness.newClient(10)];
        const mortal = killedAt(harness.deps, position, moment);
        const attempt = harness.redeem(reward.id, client, {}, mortal.deps);
        const failure = await attempt.then(
          () => null,
          (error: unknown) => error,
        );
        if (failure !== null && !(failure instanceof Killed)) throw failure;
        isOver = mortal.calls.length < position;
        await sweep();
        expect([position, moment, await broken(harness)]).toEqual([position, moment, []]);
        const [redemption] = await redemptionsOf(client);
        if (redemption) expect(harness.ledger.balanceOf(client)).toBe(0);
        else await expectNoTrace(client, reward.id);
        outcomes[redemption ? 'fulfilled' : 'gone']! += 1;
        // Whoever answered with success kept the promise.
        if (failure === null) expect(redemption).toBeDefined();
      }
    }
    expect(outcomes.fulfilled).toBeGreaterThan(4);
    expect(outcomes.gone).toBeGreaterThan(10);
  }, 120_000);

  test('a sweeper killed at any call leaves the rest to the next one', async () => {
    for (let position = 1, isOver = false; !isOver; position += 1) {
      const [reward, client] = [await newReward(), harness.newClient(10)];
      const spent = killedAt(harness.deps, callOf('ledger.SpendPoints'), 'after');
      await expect(harness.redeem(reward.id, client, {}, spent.deps)).rejects.toThrow(Killed);
      harness.clock.advanceMs(ABANDONED_MS + 1);
      const mortal = killedAt(harness.deps, position, 'after');
      await sweepRedemptions(mortal.deps).catch(() => undefined);
      isOver = mortal.calls.length < position;
      await sweep();
      await expectNoTrace(client, reward.id);
      expect(await broken(harness)).toEqual([]);
    }
  }, 120_000);

  /** Where in a redemption a call stands, found out on a run that nobody kills. */
  let order: string[] = [];
  beforeAll(async () => {
    const reward = await newReward();
    const whole = killedAt(harness.deps, Number.POSITIVE_INFINITY, 'before');
    await harness.redeem(reward.id, harness.newClient(10), {}, whole.deps);
    order = whole.calls;
  });
  const callOf = (name: string): number => order.indexOf(name) + 1;
});

test('a spend that arrives after it was undone is given back at the last look', async () => {
  const [reward, client] = [await harness.newReward(), harness.newClient(10)];
  const late: { spend?: () => Promise<unknown> } = {};
  const ledger = {
    ...harness.ledger,
    SpendPoints: (request: Parameters<typeof harness.ledger.SpendPoints>[0]) => {
      late.spend = () => harness.ledger.SpendPoints(request);
      return Promise.reject(new Error('the answer never came'));
    },
  };
  const deps = { ...harness.deps, ledger };
  await expect(harness.redeem(reward.id, client, {}, deps)).rejects.toThrow('never came');
  await late.spend!();
  expect(harness.ledger.balanceOf(client)).toBe(0);
  harness.clock.advanceMs(LINGER_MS + 1);
  await sweepRedemptions(harness.deps);
  await expectNoTrace(client, reward.id);
});

test('a refused spend leaves no trace, and the same operation may try again', async () => {
  const [reward, client] = [await harness.newReward(), harness.newClient(5)];
  const operation = newId();
  const request = { workspace_id: harness.workspaceId, reward_id: reward.id, client_id: client };
  const ledger = {
    ...harness.ledger,
    GetBalances: async () => {
      const { wallets } = await harness.ledger.GetBalances({
        workspace_id: harness.workspaceId,
        client_id: client,
      });
      return {
        wallets: wallets.map((own) => ({
          ...own,
          wallet: { ...own.wallet!, active_balance: 100 },
        })),
      };
    },
  };
  const hopeful = () =>
    harness.asCaller(() => redeemReward({ ...harness.deps, ledger }, request), operation);
  await expect(hopeful()).rejects.toThrow('too few points');
  expect(await broken(harness)).toEqual([]);
  harness.ledger.fund(client, 5);
  expect((await hopeful()).redemption!.points_spent).toBe(10);
});

test('a fulfilment refused by the store for once is tried again or undone, never half', async () => {
  const [reward, client] = [
    await harness.newReward({ code_pattern: 'C{RAND:8}' }),
    harness.newClient(10),
  ];
  let failures = 0;
  const outbox = {
    append: async () => {
      failures += 1;
      throw new Error('the disk is full');
    },
  };
  const deps = { ...harness.deps, outbox };
  await expect(harness.redeem(reward.id, client, {}, deps)).rejects.toThrow('the disk is full');
  expect(failures).toBe(1);
  expect(isTransient(new Error('the disk is full'))).toBe(false);
  await expectNoTrace(client, reward.id);
});

test('a cancellation killed at any call is completed: one refund, one use and the coupon back', async () => {
  for (let position = 1, isOver = false; !isOver; position += 1) {
    for (const moment of ['before', 'after'] as const) {
      const client = harness.newClient(10);
      const reward = await harness.newReward({ code_pattern: 'C{RAND:8}', usage_limit: 1 });
      const { redemption } = await harness.redeem(reward.id, client);
      const request = { workspace_id: harness.workspaceId, id: redemption!.id };
      const mortal = killedAt(harness.deps, position, moment);
      await harness
        .asCaller(() => cancelRedemption(mortal.deps, request))
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
      isOver = mortal.calls.length < position;
      await sweep();
      expect(await broken(harness)).toEqual([]);
      const [after] = await redemptionsOf(client);
      const isCancelled = after!.status === 'cancelled';
      expect(harness.ledger.balanceOf(client)).toBe(isCancelled ? 10 : 0);
      const { used } = (await harness.deps.rewards.find(harness.workspaceId, reward.id))!;
      expect(used).toBe(isCancelled ? 0 : 1);
    }
  }
}, 120_000);
