import { newId } from '@laurel/lifecycle';
import { Harness } from '../testing/harness';
import { launchCampaign } from './launch-campaign';
import { measureResponse } from './measure-response';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const measure = (id: string, workspace_id = harness.workspaceId) =>
  measureResponse(harness.deps, { workspace_id, id, until: Date.now(), day_starts: [1, 2] });

test('what came after a campaign is of those whom it reached, over all pages of them', async () => {
  const clients = harness.newClients(1_003, 1);
  const { id } = await harness.newCampaign({ manual_client_ids: clients }, harness.pushing());
  expect(await measure(id)).toEqual({ days: [] });
  await launchCampaign(harness.deps, { workspace_id: harness.workspaceId, id });
  await harness.workOut(id);
  const came = { returned: 1_003, redeemed: 0, spent: 2_507.5 };
  expect(await measure(id)).toEqual({
    whole: came,
    days: [came, { returned: 0, redeemed: 0, spent: 0 }],
  });
});

test('a campaign of another workspace is not found', async () => {
  const { id } = await harness.newCampaign({}, harness.pushing());
  await expect(measure(id, newId())).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
});
