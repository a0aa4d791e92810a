import { newId } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import { rewards } from '../store/rewards';
import { Harness } from '../testing/harness';
import { importCoupons } from './import-coupons';
import { listAttention } from './list-attention';
import { updateReward } from './update-reward';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const change = (id: string, fields: Partial<api.UpdateRewardRequest>) =>
  updateReward(harness.deps, { workspace_id: harness.workspaceId, id, ...fields });

async function newReward(
  name: string,
  codes: number,
  fields: Partial<api.CreateRewardRequest> = {},
): Promise<string> {
  const { id } = await harness.newReward({ name, cost_in_points: 0, ...fields });
  await importCoupons(harness.deps, {
    workspace_id: harness.workspaceId,
    reward_id: id,
    codes: Array.from({ length: codes }, (_, index) => `${name}-${index}`),
  });
  return id;
}

async function needs(workspace_id = harness.workspaceId): Promise<unknown[]> {
  const { items } = await listAttention(harness.deps, { workspace_id });
  return items.map(({ subject_name, severity, count }) => [subject_name, severity, count]);
}

test('of the rewards that give out imported codes those with few or none are named, and no others', async () => {
  await newReward('Few', 2);
  await newReward('Plenty', 10);
  await newReward('Bare', 0);
  await newReward('Made', 1, { code_pattern: 'M{RAND:8}' });
  const last = await newReward('Last', 1);
  await harness.redeem(last, harness.newClient());
  await change(await newReward('Ended', 1), { active: false });
  // It has made codes, and gives none any more.
  const former = await newReward('Former', 0, { code_pattern: 'F{RAND:8}' });
  await harness.redeem(former, harness.newClient());
  await change(former, { code_pattern: null });
  expect(new Set(await needs())).toEqual(
    new Set([
      ['Few', 'warning', 2],
      ['Last', 'error', 0],
    ]),
  );
});

test('a reward that lives on imported codes is named in a clone, which has none of its codes', async () => {
  await newReward('Cinema', 20);
  expect(await needs()).toEqual([]);
  const clone = newId();
  const { connection } = harness.deps;
  const { ids } = await rewards.surveyForClone(connection, harness.workspaceId, []);
  const order = { source: harness.workspaceId, clone, ids, renamed: new Map() };
  await rewards.copyToClone(connection, order, () => false);
  expect(await needs(clone)).toEqual([['Cinema', 'error', 0]]);
});
