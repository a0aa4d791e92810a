import { Harness } from '../testing/harness';
import { duplicateReward } from './duplicate-reward';
import { importCoupons } from './import-coupons';
import { updateReward } from './update-reward';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const stock = (reward_id: string, codes: string[]) =>
  importCoupons(harness.deps, { workspace_id: harness.workspaceId, reward_id, codes });

/** A copy that is switched on. */
async function copyOf(id: string): Promise<string> {
  const { deps, workspaceId: workspace_id } = harness;
  const copy = await harness.asCaller(() => duplicateReward(deps, { workspace_id, id }));
  expect(copy.active).toBe(false);
  const change = { workspace_id, id: copy.id, active: true };
  await harness.asCaller(() => updateReward(deps, change));
  return copy.id;
}

test('a copy of a reward that gives out imported codes costs no client points until it has codes of its own', async () => {
  const { id } = await harness.newReward();
  await stock(id, ['FIRST', 'SECOND']);
  const copy = await copyOf(id);
  const client = harness.newClient(10);
  await expect(harness.redeem(copy, client)).rejects.toMatchObject({
    problems: [{ extensions: { reason: 'out_of_coupons' } }],
  });
  expect(harness.ledger.balanceOf(client)).toBe(10);
  await stock(copy, ['THIRD']);
  expect((await harness.redeem(copy, client)).coupon!.code).toBe('THIRD');
});

test('a copy of a reward that gives no codes, or makes them, is redeemed as that', async () => {
  const bare = await harness.newReward();
  const made = await harness.newReward({ name: 'Tea', code_pattern: 'T{RAND:8}' });
  await stock(made.id, ['FIRST']);
  const client = harness.newClient(20);
  expect((await harness.redeem(await copyOf(bare.id), client)).coupon).toBeUndefined();
  expect((await harness.redeem(await copyOf(made.id), client)).coupon!.code).toMatch(/^T\w{8}$/);
});
