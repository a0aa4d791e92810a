import { erasePerson, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { launchDue } from './launch-due';
import { scheduleCampaign } from './schedule-campaign';
import { unscheduleCampaign } from './unschedule-campaign';

const HOUR_MS = 3_600_000;

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const inMs = (ms: number) => new Date(harness.clock.now().getTime() + ms).toISOString();
async function scheduled(manual_client_ids: string[]): Promise<string> {
  const { id } = await harness.newCampaign({ manual_client_ids }, harness.giving());
  await scheduleCampaign(harness.deps, { ...harness.row(id), scheduled_at: inMs(HOUR_MS) });
  return id;
}
const statusOf = async (id: string) =>
  (await harness.deps.campaigns.find(harness.workspaceId, id))?.status;
/** Looks for what is due, and goes on once `work` has been done by somebody else. */
const launchDueAfter = (work: () => Promise<unknown>) => {
  const { campaigns } = harness.deps;
  const findDue: Deps['campaigns']['findDue'] = async (...asked) => {
    const due = await campaigns.findDue(...asked);
    await work();
    return due;
  };
  return launchDue({ ...harness.deps, campaigns: { ...campaigns, findDue } });
};

test('a campaign that is unscheduled, or moved to later, in the moment in which it is due stays as it was asked to be', async () => {
  const [taken, moved] = [
    await scheduled(harness.newClients(2)),
    await scheduled(harness.newClients(2)),
  ];
  harness.clock.advanceMs(HOUR_MS);
  await launchDueAfter(async () => {
    for (const id of [taken, moved]) await unscheduleCampaign(harness.deps, harness.row(id));
    const again = { ...harness.row(moved), scheduled_at: inMs(HOUR_MS) };
    await scheduleCampaign(harness.deps, again);
  });
  expect([await statusOf(taken), await statusOf(moved)]).toEqual(['draft', 'scheduled']);
  harness.clock.advanceMs(HOUR_MS);
  await launchDue(harness.deps);
  expect([await statusOf(taken), await statusOf(moved)]).toEqual(['draft', 'active']);
});

test('campaigns whose listed clients have all gone run for no member, and keep no other from its time', async () => {
  const [gone] = harness.newClients(1) as [string];
  const empty: string[] = [];
  for (let number = 0; number < 6; number += 1) empty.push(await scheduled([gone]));
  const erased = { workspaceId: harness.workspaceId, clientId: gone, ending: 'deleted' } as const;
  await unitOfWork(harness.deps.connection, (session) =>
    erasePerson(harness.deps, erased, session),
  );
  harness.clock.advanceMs(1);
  const clients = harness.newClients(2);
  const last = await scheduled(clients);
  harness.clock.advanceMs(HOUR_MS);
  while ((await launchDue(harness.deps))?.more);
  for (const id of [...empty, last]) {
    await harness.workOut(id);
    expect(await statusOf(id)).toBe('completed');
  }
  expect(harness.peers.done('give').sort()).toEqual(clients.sort());
});
