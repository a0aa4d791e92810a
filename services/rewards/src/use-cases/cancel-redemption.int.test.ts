import { newId } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import fc from 'fast-check';
import { Harness } from '../testing/harness';
import { broken } from '../testing/invariants';
import { cancelRedemption } from './cancel-redemption';
import { useRedemption } from './use-redemption';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const cancel = (id: string, operation?: string): Promise<api.CancelledRedemption> =>
  harness.asCaller(
    () => cancelRedemption(harness.deps, { workspace_id: harness.workspaceId, id }),
    operation,
  );
const use = (id: string, used: boolean, operation?: string): Promise<api.RedemptionWithCoupon> =>
  harness.asCaller(
    () => useRedemption(harness.deps, { workspace_id: harness.workspaceId, id, used }),
    operation,
  );
const eventsOf = async (type: string, clientId: string): Promise<number> =>
  (await harness.events(type)).filter(({ subject }) => subject === clientId).length;

test('cancel, use and un-use at once, in any mix: one refund, and cancelled is never used', async () => {
  const commands = fc.array(fc.constantFrom('cancel', 'use', 'unuse'), {
    minLength: 2,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(commands, async (names) => {
      const client = harness.newClient(10);
      const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
      const { redemption } = await harness.redeem(reward.id, client);
      const { id } = redemption!;
      const outcomes = await Promise.allSettled(
        names.map((name) => (name === 'cancel' ? cancel(id) : use(id, name === 'use'))),
      );
      const cancelled = outcomes.filter(
        ({ status }, i) => status === 'fulfilled' && names[i] === 'cancel',
      );
      expect(cancelled).toHaveLength(names.includes('cancel') ? 1 : 0);
      expect(await broken(harness)).toEqual([]);
      expect(harness.ledger.balanceOf(client)).toBe(names.includes('cancel') ? 10 : 0);
      expect(await eventsOf('rewards.reward_cancelled', client)).toBe(cancelled.length);
      if (names.includes('cancel'))
        await expect(use(id, true)).rejects.toMatchObject({ httpStatus: 409, code: 'CONFLICT' });
    }),
    { numRuns: 25 },
  );
});

test('the same operation repeats its cancellation and is answered alike; another is refused', async () => {
  const client = harness.newClient(10);
  const { redemption } = await harness.redeem((await harness.newReward()).id, client);
  const operation = newId();
  const first = await cancel(redemption!.id, operation);
  expect(first).toMatchObject({ refunded_points: 10, redemption: { status: 'cancelled' } });
  expect(await cancel(redemption!.id, operation)).toEqual(first);
  await expect(cancel(redemption!.id)).rejects.toThrow('already cancelled');
  expect(harness.ledger.balanceOf(client)).toBe(10);
});

test('while the ledger is away a cancellation waits, and the next request completes it', async () => {
  const client = harness.newClient(10);
  const { redemption } = await harness.redeem((await harness.newReward()).id, client);
  const request = { workspace_id: harness.workspaceId, id: redemption!.id };
  const ledger = { ...harness.ledger, RefundSpend: () => Promise.reject(new Error('away')) };
  const attempt = harness.asCaller(() => cancelRedemption({ ...harness.deps, ledger }, request));
  await expect(attempt).rejects.toThrow('away');
  await expect(use(redemption!.id, true)).rejects.toThrow('cancelled');
  expect(await cancel(redemption!.id)).toMatchObject({ refunded_points: 10 });
  expect(await broken(harness)).toEqual([]);
});

test('a use makes one event, however often it is repeated', async () => {
  const client = harness.newClient(10);
  const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  const { redemption } = await harness.redeem(reward.id, client);
  await Promise.all(Array.from({ length: 5 }, () => use(redemption!.id, true)));
  expect(await eventsOf('rewards.reward_used', client)).toBe(1);
});

test('an event says once that a redemption is not used any more, for what shows its code', async () => {
  const client = harness.newClient(10);
  const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  const { redemption } = await harness.redeem(reward.id, client);
  await use(redemption!.id, false);
  await use(redemption!.id, true);
  await Promise.all(Array.from({ length: 5 }, () => use(redemption!.id, false)));
  expect(await eventsOf('rewards.use_taken_back', client)).toBe(1);
  expect(await eventsOf('rewards.reward_used', client)).toBe(1);
});

test('of several tills that use one redemption at once one was the first, and stays it when it asks again', async () => {
  const reward = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  const { redemption } = await harness.redeem(reward.id, harness.newClient(10));
  const { id } = redemption!;
  const operations = Array.from({ length: 5 }, () => newId());
  const isLate = () =>
    Promise.all(operations.map(async (each) => (await use(id, true, each)).was_used));
  const late = await isLate();
  expect(late.filter((each) => !each)).toHaveLength(1);
  expect(await isLate()).toEqual(late);
  expect(await use(id, false)).toMatchObject({ was_used: true, redemption: { used_at: null } });
  expect(await use(id, true)).toMatchObject({ was_used: false });
});

test('a redemption of elsewhere is unknown', async () => {
  const { redemption } = await harness.redeem(
    (await harness.newReward()).id,
    harness.newClient(10),
  );
  const request = { workspace_id: newId(), id: redemption!.id };
  await expect(harness.asCaller(() => cancelRedemption(harness.deps, request))).rejects.toThrow(
    'not found',
  );
  await expect(useRedemption(harness.deps, { ...request, used: true })).rejects.toThrow(
    'not found',
  );
});
