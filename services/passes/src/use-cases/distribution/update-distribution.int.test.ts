import { Harness } from '../../testing/enrollment-harness';
import { updateDistribution } from './update-distribution';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

test('the event of a distribution says how often it had been written by then', async () => {
  const { deps, store, workspaceId: workspace_id } = harness;
  const { id } = await harness.newDistribution();
  for (const page_enabled of [false, true])
    await updateDistribution(deps, { workspace_id, id, page_enabled });
  const rows = await store.connection
    .collection<{
      event: { type: string; subject: string; data: { distribution_revision: number } };
    }>('outbox')
    .find({ 'event.subject': id, 'event.type': 'passes.distribution_updated' })
    .sort({ _id: 1 })
    .toArray();
  expect(rows.map(({ event }) => event.data.distribution_revision)).toEqual([1, 2, 3]);
  expect(await deps.distributions.find(workspace_id, id)).toMatchObject({ revision: 3 });
});
