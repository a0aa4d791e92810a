import { newId } from '@laurel/lifecycle';
import { isTransient } from '@laurel/mongo';
import { workOffJob } from '@laurel/testing';
import { jobs } from '../jobs';
import { Harness, REMEMBERED_MS } from '../testing/harness';
import { broken } from '../testing/invariants';
import { redeemReward } from './redeem-reward';

/** What a customer whose points are missing may wait for them. */
const SECONDS_MS = 12_000;

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const redemptionsOf = async (clientId: string) =>
  (await harness.deps.redemptions.list(harness.workspaceId, { clientId }, { limit: 10, offset: 0 }))
    .redemptions;

/** What a redemption that never was leaves: nothing. */
async function expectNoTrace(clientId: string, rewardId: string): Promise<void> {
  expect(await redemptionsOf(clientId)).toEqual([]);
  expect(harness.ledger.balanceOf(clientId)).toBe(10);
  expect((await harness.deps.rewards.find(harness.workspaceId, rewardId))!.used).toBe(0);
  expect(await harness.deps.usages.countOf(harness.workspaceId, { rewardId, clientId })).toBe(0);
  const { coupons } = await harness.deps.coupons.list(
    harness.workspaceId,
    { rewardId, status: undefined },
    {
      limit: 10,
      offset: 0,
    },
  );
  expect(coupons.every(({ status, imported }) => imported && status === 'available')).toBe(true);
}

test('a spend that arrives after it was undone is given back within seconds, and looked for as long as it is remembered', async () => {
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
  await expect(harness.redeem(reward.id, client, { deps })).rejects.toThrow('never came');
  await late.spend!();
  expect(harness.ledger.balanceOf(client)).toBe(0);
  harness.clock.advanceMs(SECONDS_MS);
  await workOffJob(jobs(harness.deps), 'recover-attempts');
  await expectNoTrace(client, reward.id);
  const remembered = async () =>
    (await harness.rows<{ client_id: string }>('attempts')).filter(
      (row) => row.client_id === client,
    );
  expect(await remembered()).toHaveLength(1);
  harness.clock.advanceMs(REMEMBERED_MS);
  await workOffJob(jobs(harness.deps), 'recover-attempts');
  expect(await remembered()).toEqual([]);
});

test('an attempt that was undone by others has no holder until its next look', async () => {
  const [reward, client] = [await harness.newReward(), harness.newClient(10)];
  const away = () => Promise.reject(new Error('the ledger is away'));
  const ledger = { ...harness.ledger, SpendPoints: away, RefundSpend: away };
  const deps = { ...harness.deps, ledger };
  await expect(harness.redeem(reward.id, client, { deps })).rejects.toThrow('is away');
  harness.clock.advanceMs(harness.deps.abandonedMs + 1);
  expect(await workOffJob(jobs(harness.deps), 'recover-attempts')).toBe(1);
  const { due } = harness.deps.attempts;
  expect(await due.isHeld(harness.workspaceId, new Date('9999-12-31'))).toBe(false);
});

test('a refused spend leaves no trace, and the same operation may try again', async () => {
  const [reward, client] = [await harness.newReward(), harness.newClient(5)];
  const operation = newId();
  const request = { workspace_id: harness.workspaceId, reward_id: reward.id, client_id: client };
  const ledger = {
    ...harness.ledger,
    GetBalances: async () => {
      const { wallets, ...rest } = await harness.ledger.GetBalances({
        workspace_id: harness.workspaceId,
        client_id: client,
      });
      return {
        ...rest,
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
  // Nothing is on its way of what was answered: only an attempt that got no answer is looked at soon.
  harness.clock.advanceMs(SECONDS_MS);
  expect(await workOffJob(jobs(harness.deps), 'recover-attempts')).toBe(0);
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
  await expect(harness.redeem(reward.id, client, { deps })).rejects.toThrow('the disk is full');
  expect(failures).toBe(1);
  expect(isTransient(new Error('the disk is full'))).toBe(false);
  await expectNoTrace(client, reward.id);
});
