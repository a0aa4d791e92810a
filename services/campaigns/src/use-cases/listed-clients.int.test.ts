import { Harness } from '../testing/harness';
import { findReferences } from './find-references';
import { getActionStats, getStatistics } from './get-statistics';
import { launchCampaign } from './launch-campaign';
import { listActions } from './list-actions';
import { listAttention } from './list-attention';
import { listErrors, listMembers } from './list-members';
import { measureResponse } from './measure-response';
import { previewAudience } from './preview-audience';
import { search } from './search';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const PAGE = 500;

test('a campaign reads the clients that it lists a page at a time, each page once, however many steps it takes', async () => {
  const manual_client_ids = harness.newClients(2 * PAGE + 1);
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.giving());
  await launchCampaign(harness.deps, harness.row(id));
  const { deps } = harness;
  const read: (number | 'all')[] = [];
  const find: typeof deps.campaigns.find = (...asked) => {
    read.push('all');
    return deps.campaigns.find(...asked);
  };
  const listed: typeof deps.campaigns.listed = async (...asked) => {
    const found = await deps.campaigns.listed(...asked);
    read.push(found.length);
    return found;
  };
  await harness.workOut(id, { ...deps, campaigns: { ...deps.campaigns, find, listed } });
  // The last is the end of the campaign, which is written as a whole.
  expect(read).toEqual([PAGE + 1, PAGE + 1, 1, 'all']);
  expect(harness.peers.done('give').sort()).toEqual([...manual_client_ids].sort());
  const members = await harness.members(id);
  expect(members.map(({ client_id }) => client_id)).toEqual(manual_client_ids);
});

test('what goes with a campaign is read without the clients that it lists', async () => {
  const manual_client_ids = harness.newClients(3);
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.giving());
  await launchCampaign(harness.deps, harness.row(id));
  const { workspaceId: workspace_id } = harness;
  const heads = [
    await harness.deps.campaigns.findHead(workspace_id, id),
    ...(await harness.deps.campaigns.newest(workspace_id, 1)),
    ...(await harness.deps.campaigns.ahead(workspace_id)),
  ];
  expect(heads.map((head) => [head?.id, head && 'manual_client_ids' in head])).toEqual(
    Array(3).fill([id, false]),
  );
  await harness.workOut(id);
  const find = async () => {
    throw new Error('all clients that are listed are read');
  };
  const list = async function* () {
    yield await find();
  };
  const deps = { ...harness.deps, campaigns: { ...harness.deps.campaigns, find, list } };
  const page = { workspace_id, campaign_id: id, limit: 2, offset: 1 };
  expect((await listMembers(deps, page)).members).toHaveLength(2);
  expect((await listErrors(deps, page)).total).toBe(0);
  expect(await getStatistics(deps, harness.row(id))).toMatchObject({ total_targeted: 3 });
  expect((await getActionStats(deps, harness.row(id))).stats).toHaveLength(1);
  expect((await listActions(deps, harness.row(id))).actions).toHaveLength(1);
  const span = { until: harness.clock.now().getTime(), day_starts: [] };
  expect(await measureResponse(deps, { ...harness.row(id), ...span })).toHaveProperty('whole');
  for (const q of [id, 'Spring'])
    expect(
      (await search(deps, { workspace_id, q, types: ['campaign'], limit: 1 })).hits,
    ).toHaveLength(1);
  expect(await listAttention(deps, { workspace_id } as never)).toEqual({ items: [] });
  expect(await findReferences(deps, { workspace_id, kind: 'reward', ids: [] })).toEqual({
    references: [],
  });
});

test('a worker takes a campaign up without the clients that it lists', async () => {
  const { due } = harness.deps.campaigns;
  const ids: string[] = [];
  for (let made = 0; made < 2; made += 1) {
    const manual_client_ids = harness.newClients(1);
    const { id } = await harness.newCampaign({ manual_client_ids }, harness.giving());
    await launchCampaign(harness.deps, harness.row(id));
    ids.push(id);
  }
  const wanted = { now: harness.clock.now(), leaseMs: 1_000 };
  const one = await due.claimOne(ids[0]!, wanted);
  const others = await due.claim({ count: 2, share: 2, inHand: new Map() }, wanted);
  expect([one, ...others].map((claimed) => claimed?.row.id)).toEqual(ids);
  for (const claimed of [one, ...others])
    expect(claimed!.row).not.toHaveProperty('manual_client_ids');
});

test('a preview of a list goes on where its page ended, and shows no more than was asked for', async () => {
  const manual_client_ids = harness.newClients(PAGE + 2);
  const { id } = await harness.newCampaign({ manual_client_ids });
  const preview = async (limit: number) =>
    (await previewAudience(harness.deps, { ...harness.row(id), limit })).clients;
  const ids = (clients: unknown) => (clients as { id: string }[]).map((client) => client.id);
  expect(ids(await preview(2))).toEqual(manual_client_ids.slice(0, 2));
  expect(ids(await preview(PAGE + 1))).toEqual(manual_client_ids.slice(0, PAGE + 1));
});
