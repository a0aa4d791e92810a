import { newId } from '@laurel/lifecycle';
import { atEveryCall, type Death, type Mortal, mortal, underOneKey } from '@laurel/testing';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { cancelCampaign } from './cancel-campaign';
import { createAction } from './create-action';
import { createCampaign } from './create-campaign';
import { executeActions } from './execute-action';
import { launchCampaign } from './launch-campaign';
import { workCampaign } from './work-campaigns';
import { CLAIM_MS } from './work-times';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const sorted = (ids: readonly string[]) => [...ids].sort();

/** A replica that is killed at one of its calls, to the store or to another service. */
function dying(death: Death): { replica: Deps; mortal: Mortal } {
  const process = mortal(harness.deps.connection, death);
  const { clients, passes, rewards, tiers } = harness.peers.asPeers();
  const replica = harness.depsOver(process.connection, {
    clients: process.peer(clients),
    passes: process.peer(passes),
    rewards: process.peer(rewards),
    tiers: process.peer(tiers),
  });
  return { replica, mortal: process };
}

/** Whether a command got through; what was left behind counts as abandoned afterwards. */
async function dieAt(death: Death, command: (deps: Deps) => Promise<unknown>): Promise<boolean> {
  const { replica, mortal: process } = dying(death);
  process.arm();
  await Promise.race([command(replica), process.died]);
  harness.clock.advanceMs(CLAIM_MS + 1);
  return !process.isDead();
}

test('the repeat of a draft is answered as the first time, though its audience is gone by then', async () => {
  const clientId = harness.newClient();
  const about = {
    workspace_id: harness.workspaceId,
    name: 'Spring',
    manual_client_ids: [clientId],
  };
  const draft = underOneKey(() => createCampaign(harness.deps, about as never));
  const first = await draft();
  harness.peers.people.delete(clientId);
  expect(await draft()).toEqual(first);
  await expect(createCampaign(harness.deps, about as never)).rejects.toMatchObject({
    httpStatus: 400,
  });
});

test('the repeat of an action is answered as the first time, though its campaign has been launched by then', async () => {
  const { id } = await harness.newCampaign(
    { manual_client_ids: [harness.newClient()] },
    harness.giving(),
  );
  const [action_type, action_config] = harness.giving();
  const { workspaceId: workspace_id } = harness;
  const request = { workspace_id, campaign_id: id, action_type, action_config };
  const add = underOneKey(() => createAction(harness.deps, request));
  const first = await add();
  await launchCampaign(harness.deps, harness.row(id));
  expect(await add()).toEqual(first);
  await expect(createAction(harness.deps, request)).rejects.toMatchObject({ httpStatus: 409 });
});

/** Three clients, one with two passes and one with none; something for clients and something for passes. */
async function newCampaign() {
  const clients = [harness.newClient({}, 2), harness.newClient({}, 1), harness.newClient()];
  const { id } = await harness.newCampaign(
    { manual_client_ids: clients },
    harness.giving(),
    harness.pushing(),
  );
  const passes = clients.flatMap((client) => harness.peers.passesOf.get(client) ?? []);
  harness.peers.effects.clear();
  harness.peers.trail.clear();
  return { id, clients, passes };
}

async function expectWhole({
  id,
  clients,
  passes,
}: Awaited<ReturnType<typeof newCampaign>>): Promise<void> {
  expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
  expect(sorted(harness.peers.done('push'))).toEqual(sorted(passes));
  expect(harness.peers.trail.size).toBe(clients.length + passes.length);
  expect(await harness.statistics(id)).toMatchObject({
    status: 'completed',
    total_targeted: 4,
    audience_completed: 4,
    actions_completed: 2,
    rewards_issued: 3,
  });
  expect(await harness.events('campaigns.launched', id)).toHaveLength(1);
  expect(await harness.events('campaigns.completed', id)).toHaveLength(1);
}

describe.each(['before', 'after'] as const)('killed %s each of its calls', (when) => {
  test('a worker leaves what others finish: everybody is reached once', async () => {
    const calls = await atEveryCall(
      when,
      async (death) => {
        const campaign = await newCampaign();
        await launchCampaign(harness.deps, harness.row(campaign.id));
        const through = await dieAt(death, (deps) => workCampaign(deps, campaign.id));
        await harness.workOut(campaign.id);
        await expectWhole(campaign);
        return through;
      },
      120,
    );
    expect(calls).toBeGreaterThan(20);
  }, 600_000);

  test('a launch takes place or does not, and its repeat launches once', async () => {
    await atEveryCall(when, async (death) => {
      const campaign = await newCampaign();
      const operation = newId();
      const launch = (deps: Deps) =>
        harness.asCaller(() => launchCampaign(deps, harness.row(campaign.id)), operation);
      const through = await dieAt(death, launch);
      expect(await launch(harness.deps)).toMatchObject({ status: 'active' });
      await harness.workOut(campaign.id);
      await expectWhole(campaign);
      return through;
    });
  }, 600_000);

  test('an execution by hand is finished by others, and its repeat does nothing twice', async () => {
    await atEveryCall(
      when,
      async (death) => {
        const campaign = await newCampaign();
        const operation = newId();
        const execute = (deps: Deps) =>
          harness.asCaller(() => executeActions(deps, harness.row(campaign.id)), operation);
        const through = await dieAt(death, execute);
        const { actions } = await execute(harness.deps);
        expect(actions.map(({ status }) => status)).toEqual(['completed', 'completed']);
        await expectWhole(campaign);
        return through;
      },
      160,
    );
  }, 600_000);

  test('clearing up after a cancellation is finished by others', async () => {
    await atEveryCall(when, async (death) => {
      const campaign = await newCampaign();
      await launchCampaign(harness.deps, harness.row(campaign.id));
      const { before } = harness.peers;
      harness.peers.before = async () => {
        harness.peers.before = before;
        await cancelCampaign(harness.deps, harness.row(campaign.id));
      };
      await workCampaign(harness.deps, campaign.id);
      const through = await dieAt(death, (deps) => workCampaign(deps, campaign.id));
      await harness.workOut(campaign.id);
      expect(await harness.statistics(campaign.id)).toMatchObject({
        status: 'cancelled',
        audience_processing: 0,
      });
      return through;
    });
  }, 600_000);
});
