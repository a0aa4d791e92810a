import { newId } from '@laurel/lifecycle';
import { createHarness, type Harness } from '../testing/harness';
import { deleteTier } from './delete-tier';
import { exportClient } from './export-client';
import { updateTier } from './update-tier';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('an export calls the tier of a person as it is called today, and one that is gone as it was', async () => {
  const { gold } = await harness.levels();
  const { deps, workspaceId: workspace_id } = harness;
  const id = newId();
  await harness.take(harness.made.client(id), harness.made.earned(id, 500));
  await updateTier(deps, { workspace_id, id: gold.id, name: 'Platinum' });
  const named = async () =>
    (await exportClient(deps, { workspace_id, client_id: id })).data as {
      standing: { tier_name: string };
    };
  expect((await named()).standing.tier_name).toBe('Platinum');
  await deleteTier(deps, { workspace_id, id: gold.id });
  expect((await named()).standing.tier_name).toBe('Gold');
});
