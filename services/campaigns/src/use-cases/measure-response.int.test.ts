import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { mergePerson, unitOfWork } from '@laurel/mongo';
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

test('a client whom one action reached counts, though another failed for them', async () => {
  const [lucky, unlucky, without] = [...harness.newClients(2, 1), harness.newClient()] as [
    string,
    string,
    string,
  ];
  const manual_client_ids = [lucky, unlucky, without];
  const { id } = await harness.newCampaign(
    { manual_client_ids },
    harness.pushing(),
    harness.giving(),
  );
  await launchCampaign(harness.deps, harness.row(id));
  harness.peers.before = ({ command, whom }) => {
    if (command === 'give' && whom !== lucky)
      throw platform.invalidPayload({ message: 'usage limit reached' });
  };
  await harness.workOut(id);
  expect(await harness.statistics(id)).toMatchObject({ audience_failed: 2 });
  expect((await measure(id)).whole).toMatchObject({ returned: 2 });
});

test('a client whose cards stand on both sides of a page of the audience is counted once', async () => {
  const manual_client_ids = [...harness.newClients(999, 1), harness.newClient({}, 2)];
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.pushing());
  await launchCampaign(harness.deps, harness.row(id));
  await harness.workOut(id);
  expect(await harness.statistics(id)).toMatchObject({ audience_completed: 1_001 });
  expect((await measure(id)).whole).toMatchObject({ returned: 1_000 });
});

test('a client whom another of the audience became is counted once, however far apart the two stand', async () => {
  const manual_client_ids = harness.newClients(1_001, 1);
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.pushing());
  await launchCampaign(harness.deps, harness.row(id));
  await harness.workOut(id);
  const merge = { source: manual_client_ids[0]!, target: manual_client_ids[1_000]! };
  await unitOfWork(harness.deps.connection, (session) =>
    mergePerson(harness.deps, { workspaceId: harness.workspaceId, ...merge }, session),
  );
  expect((await measure(id)).whole).toMatchObject({ returned: 1_000 });
});

test('spans that touch as many days as each other are answered each for itself', async () => {
  const manual_client_ids = [harness.newClient({}, 1)];
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.pushing());
  await launchCampaign(harness.deps, harness.row(id));
  await harness.workOut(id);
  const { started_at: startedAt } = await harness.statistics(id);
  const from = Date.parse(startedAt!);
  const { clients } = harness.deps;
  const asked: number[] = [];
  const deps = {
    ...harness.deps,
    clients: {
      ...clients,
      MeasureActivity: (request: Parameters<typeof clients.MeasureActivity>[0]) => {
        asked.push(request.until - from);
        return clients.MeasureActivity(request);
      },
    },
  };
  const DAY_MS = 86_400_000;
  const spans = [DAY_MS, 1.2 * DAY_MS, 1.2 * DAY_MS + 5, DAY_MS];
  for (const span of spans)
    await measureResponse(deps, { ...harness.row(id), until: from + span, day_starts: [1, 2] });
  expect(asked).toEqual([DAY_MS, 1.2 * DAY_MS]);
});

test('a campaign of another workspace is not found', async () => {
  const { id } = await harness.newCampaign({}, harness.pushing());
  await expect(measure(id, newId())).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
});
