import { newId } from '@laurel/lifecycle';
import { Harness } from '../testing/harness';
import { importCoupons } from './import-coupons';
import { measureSupplies } from './measure-supplies';

const DAY_MS = 86_400_000;
let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const supplies = async (ids: string[], at = harness.clock.now(), workspace = harness.workspaceId) =>
  (await measureSupplies(harness.deps, { workspace_id: workspace, ids, at: at.toISOString() }))
    .supplies;
const stock = (rewardId: string, codes: string[]) =>
  importCoupons(harness.deps, { workspace_id: harness.workspaceId, reward_id: rewardId, codes });

test('a reward has as many gifts as its limit and its imported codes leave', async () => {
  const { id } = await harness.newReward({ usage_limit: 5 });
  await stock(id, ['A', 'B', 'C']);
  await harness.redeem(id, harness.newClient(10));
  expect(await supplies([id])).toEqual([
    {
      reward_id: id,
      reason: null,
      cost_in_points: 10,
      uses_left: 4,
      coupons_left: 2,
      visibility_tiers: [],
      visibility_segments: [],
    },
  ]);
});

test('a reward that makes its codes, or has none, never lacks one', async () => {
  const made = await harness.newReward({ code_pattern: 'C{RAND:8}' });
  await stock(made.id, ['A']);
  const bare = await harness.newReward({ name: 'Tea' });
  const found = await supplies([made.id, bare.id]);
  expect(found.map(({ coupons_left, uses_left }) => [coupons_left, uses_left])).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('a reward is looked at as it will be at the moment that is asked about', async () => {
  const now = harness.clock.now();
  const [start, end, later] = [1, 2, 3].map((days) => new Date(now.getTime() + days * DAY_MS));
  const { id } = await harness.newReward({
    availability_start: start!.toISOString(),
    availability_end: end!.toISOString(),
  });
  const reasonAt = async (at: Date) => (await supplies([id], at))[0]!.reason;
  expect(await reasonAt(now)).toBe('not_started');
  expect(await reasonAt(start!)).toBeNull();
  expect(await reasonAt(later!)).toBe('ended');
});

test('a reward of another workspace has no supply', async () => {
  const { id } = await harness.newReward();
  expect(await supplies([id], harness.clock.now(), newId())).toEqual([]);
});
