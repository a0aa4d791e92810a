import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { type TestStore, testStore } from '@laurel/testing';
import { toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import { newReward } from '../domain/reward';
import { createRewardStore, rewards } from './rewards';
import { createUsageStore, usages } from './usages';

const workspaceId = newId();
let store: TestStore;
beforeAll(async () => {
  store = await testStore([rewards, usages]);
});
afterAll(() => store.drop());

/** What happens to one redemption's use: each step may be tried more than once. */
const fates = fc.array(
  fc.record({
    fate: fc.constantFrom('kept', 'undone', 'left'),
    tries: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Takes, keeps and gives back uses all at once, and checks the count against what was granted. */
async function play(
  limit: number,
  all: { fate: string; tries: number }[],
  counter: {
    reserve(mark: string): Promise<boolean>;
    release(mark: string): Promise<void>;
    settle(mark: string): Promise<void>;
    used(): Promise<number>;
  },
): Promise<void> {
  const repeat = (tries: number, step: () => Promise<unknown>) =>
    Promise.all(Array.from({ length: tries }, step));
  const held = await Promise.all(
    all.map(async ({ fate, tries }) => {
      const mark = newId();
      const grants = await repeat(tries, () => counter.reserve(mark));
      if (!grants.includes(true)) return 0;
      expect(await counter.used()).toBeLessThanOrEqual(limit);
      if (fate === 'undone') await repeat(tries, () => counter.release(mark));
      if (fate === 'kept') await repeat(tries, () => counter.settle(mark));
      // What is final is not given back by a latecomer.
      if (fate === 'kept') await repeat(tries, () => counter.release(mark));
      return fate === 'undone' ? 0 : 1;
    }),
  );
  const expected = held.reduce<number>((sum, one) => sum + one, 0);
  expect(await counter.used()).toBe(expected);
  expect(expected).toBeLessThanOrEqual(limit);
}

test('whatever is taken, kept, given back and repeated at once, no reward passes its limit', async () => {
  const rewards = createRewardStore(store.connection);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 6 }), fates, async (limit, all) => {
      const fields = { name: 'Coffee', cost_in_points: toUnits(1), usage_limit: limit };
      const reward = newReward({ id: newId(), workspaceId }, fields, new Date());
      await unitOfWork(store.connection, (session) => rewards.insert(reward, session));
      await play(limit, all, {
        reserve: async (mark) =>
          (await rewards.reserve(workspaceId, reward, { mark, counted: true })) === 'reserved',
        release: (mark) => rewards.release(workspaceId, reward.id, { mark, counted: true }),
        settle: (mark) => rewards.settleAll(workspaceId, reward.id, [mark]),
        used: async () => (await rewards.find(workspaceId, reward.id))!.used,
      });
    }),
    { numRuns: 40 },
  );
});

test('nor does a client pass its share', async () => {
  const usages = createUsageStore(store.connection);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 6 }), fates, async (limit, all) => {
      const key = { rewardId: newId(), clientId: newId() };
      await play(limit, all, {
        reserve: (mark) => usages.reserve(workspaceId, key, { limit, mark }),
        release: (mark) => usages.release(workspaceId, [key], mark),
        settle: (mark) => usages.settleAll(workspaceId, [key], [mark]),
        used: () => usages.countOf(workspaceId, key),
      });
    }),
    { numRuns: 40 },
  );
});
