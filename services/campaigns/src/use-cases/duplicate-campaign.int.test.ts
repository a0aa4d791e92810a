import { erasePerson, mergePerson, unitOfWork } from '@laurel/mongo';
import { Harness } from '../testing/harness';
import { cancelCampaign } from './cancel-campaign';
import { countAudience } from './count-audience';
import { deleteCampaign } from './delete-campaign';
import { duplicateCampaign } from './duplicate-campaign';
import { estimateCampaign } from './estimate-campaign';
import { launchCampaign } from './launch-campaign';
import { listUnreachable } from './list-unreachable';
import { previewAudience } from './preview-audience';
import { updateCampaign } from './update-campaign';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const ran = async (manual_client_ids: string[]) => {
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.giving());
  await launchCampaign(harness.deps, harness.row(id));
  await harness.workOut(id);
  return id;
};
/** The clients service and this one are done with it. */
const merge = async (source: string, target: string) => {
  harness.peers.merge(source, target);
  const merged = { workspaceId: harness.workspaceId, source, target };
  await unitOfWork(harness.deps.connection, (session) =>
    mergePerson(harness.deps, merged, session),
  );
};
const anonymize = async (clientId: string) => {
  const { people } = harness.peers;
  people.set(clientId, { ...people.get(clientId)!, status: 'anonymized' });
  const erased = { workspaceId: harness.workspaceId, clientId, ending: 'anonymized' as const };
  await unitOfWork(harness.deps.connection, (session) =>
    erasePerson(harness.deps, erased, session),
  );
};
const duplicate = (id: string) => duplicateCampaign(harness.deps, harness.row(id));
const figuresOf = async (id: string) => {
  const row = harness.row(id);
  const { clients, total } = await previewAudience(harness.deps, { ...row, limit: 10 });
  const unreachable = (await listUnreachable(harness.deps, row)).clients;
  return {
    previewed: (clients as unknown as { id: string }[]).map((client) => client.id),
    total,
    counted: (await countAudience(harness.deps, row)).total,
    estimated: (await estimateCampaign(harness.deps, row)).total,
    unreachable: unreachable.map(({ client_id }) => client_id),
  };
};
const figures = (ids: string[]) => ({
  previewed: ids,
  total: ids.length,
  counted: ids.length,
  estimated: ids.length,
  unreachable: ids,
});

test('a copy of a campaign that has run lists whom its clients were merged into, once, and none who are erased', async () => {
  const ids = harness.newClients(6) as [string, string, string, string, string, string];
  const [one, two, other, anonymized, deleted, target] = ids;
  const id = await ran([one, two, other, anonymized, deleted]);
  await merge(one, target);
  await merge(two, target);
  await anonymize(anonymized);
  harness.peers.people.delete(deleted);
  const copy = await duplicate(id);
  expect(copy.manual_client_ids).toEqual([target, other]);
  expect(await figuresOf(copy.id)).toEqual(figures([target, other]));
  const { manual_client_ids } = copy;
  const saved = updateCampaign(harness.deps, { ...harness.row(copy.id), manual_client_ids });
  await expect(saved).resolves.toMatchObject({ manual_client_ids: [target, other] });
});

test('a campaign that was called off is copied with whom its clients were merged into since', async () => {
  const [source, target] = harness.newClients(2) as [string, string];
  const audience = { manual_client_ids: [source] };
  const { id } = await harness.newCampaign(audience, harness.giving());
  await launchCampaign(harness.deps, harness.row(id));
  await cancelCampaign(harness.deps, harness.row(id));
  await merge(source, target);
  expect((await duplicate(id)).manual_client_ids).toEqual([target]);
});

test('a draft is copied with all whom it lists, inactive ones as well', async () => {
  const ids = [harness.newClient({ status: 'inactive' }), ...harness.newClients(2)];
  const { id } = await harness.newCampaign({ manual_client_ids: ids });
  expect((await duplicate(id)).manual_client_ids).toEqual(ids);
});

test('all that is said of the audience of a campaign that has run is said of whom its clients were merged into', async () => {
  const [source, other, target] = harness.newClients(3) as [string, string, string];
  const id = await ran([source, other]);
  await merge(source, target);
  expect(await figuresOf(id)).toEqual(figures([target, other]));
});

test('two who were merged into one are counted once, however far apart they are listed', async () => {
  const ids = harness.newClients(502);
  const target = harness.newClient();
  const id = await ran(ids);
  await merge(ids[0]!, target);
  await merge(ids[501]!, target);
  expect((await countAudience(harness.deps, harness.row(id))).total).toBe(501);
  expect((await duplicate(id)).manual_client_ids).toEqual([target, ...ids.slice(1, 501)]);
});

test('the repeat of a copy is answered as the first time, though the campaign is gone by then', async () => {
  const { id } = await harness.newCampaign({ manual_client_ids: harness.newClients(1) });
  const copy = () => harness.asCaller(() => duplicate(id), 'the same key');
  const first = await copy();
  await deleteCampaign(harness.deps, harness.row(id));
  expect(await copy()).toEqual(first);
});
