import { platform } from '@laurel/errors';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { etagOf } from '@laurel/mongo';
import { awake, workOff } from '@laurel/testing';
import type { Deps } from '../deps';
import { versionOfCampaign } from '../store/mapping';
import { Harness } from '../testing/harness';
import { cancelCampaign } from './cancel-campaign';
import { createAction } from './create-action';
import { deleteCampaign } from './delete-campaign';
import { executeAction, executeActions } from './execute-action';
import { getActionStats } from './get-statistics';
import { launchCampaign } from './launch-campaign';
import { launchDue } from './launch-due';
import { listMembers } from './list-members';
import { scheduleCampaign } from './schedule-campaign';
import { campaignWorker, workCampaign } from './work-campaigns';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const launched = async (...args: Parameters<Harness['newCampaign']>) => {
  const campaign = await harness.newCampaign(...args);
  await launchCampaign(harness.deps, harness.row(campaign.id));
  return campaign;
};
const statusOf = async (id: string) =>
  (await harness.deps.campaigns.find(harness.workspaceId, id))?.status;
/** Something else that happens while the nth member is served. */
const onceAfter = (count: number, work: () => Promise<unknown>) => {
  let isDue = true;
  return async () => {
    if (!isDue || harness.peers.effects.size < count) return;
    isDue = false;
    await work();
  };
};
/** What is done for one of them meets this error. */
const failFor = (unlucky: string, error: Error) => {
  harness.peers.before = ({ whom }) => {
    if (whom === unlucky) throw error;
  };
};
const ALL_BUT_ONE = { status: 'completed', audience_completed: 4, audience_failed: 1 };
const sorted = (ids: readonly string[]) => [...ids].sort();

describe('an execution', () => {
  test('reaches every pass with what is for passes, and every client once with the rest', async () => {
    const clients = [harness.newClient({}, 2), harness.newClient({}, 1), harness.newClient()];
    const passes = clients.flatMap((client) => harness.peers.passesOf.get(client) ?? []);
    const tier_id = harness.newTier();
    const { id } = await launched(
      { manual_client_ids: clients },
      harness.pushing(),
      harness.giving(),
      ['assign_tier', { tier_id }],
      ['custom_field_update', { custom_field_updates: { vip: true } }],
    );
    await harness.workOut(id);
    expect(sorted(harness.peers.done('push'))).toEqual(sorted(passes));
    for (const command of ['give', 'assign', 'update'] as const)
      expect(sorted(harness.peers.done(command))).toEqual(sorted(clients));
    expect(await harness.statistics(id)).toMatchObject({
      status: 'completed',
      total_targeted: 4,
      audience_pending: 0,
      audience_processing: 0,
      audience_completed: 4,
      audience_failed: 0,
      audience_unreachable: 0,
      actions_total: 4,
      actions_completed: 4,
      rewards_issued: 3,
      tiers: [{ tier_id, tier_name: 'Gold', total: 3, completed: 3, failed: 0 }],
    });
    expect(await harness.events('campaigns.launched', id)).toHaveLength(1);
    const [told] = await harness.events('campaigns.completed', id);
    expect(told?.data).toMatchObject({ status: 'completed', total_targeted: 4, rewards_issued: 3 });
  });

  test('leaves out inactive clients, and does not reach those who have no pass or did not agree', async () => {
    const inactive = harness.newClient({ status: 'inactive' }, 1);
    const silent = harness.newClient({ marketing_consent: false }, 1);
    const passless = harness.newClient();
    const reached = harness.newClient({}, 1);
    const segment_id = newId();
    harness.peers.segments.set(segment_id, [inactive, silent, passless, reached]);
    const { id } = await launched({ segment_id }, harness.pushing());
    await harness.workOut(id);
    const members = await harness.members(id);
    const verdicts = members.map(({ client_id, status, error_message }) => [
      client_id,
      status,
      error_message,
    ]);
    expect(verdicts).toEqual([
      [silent, 'unreachable', 'no marketing consent'],
      [passless, 'unreachable', 'the client has no pass'],
      [reached, 'completed', null],
    ]);
    expect(harness.peers.done('push')).toEqual(harness.peers.passesOf.get(reached));
  });

  test('sends two texts of one campaign each once to each card, also where they are the same', async () => {
    const client = harness.newClient({}, 2);
    const cards = harness.peers.passesOf.get(client)!;
    const manual_client_ids = [client];
    const { id } = await launched({ manual_client_ids }, harness.pushing(), harness.pushing());
    await harness.workOut(id);
    expect(harness.peers.done('push')).toEqual([...cards, ...cards]);
    expect(harness.peers.trail.size).toBe(4);
  });

  test('goes through an audience of several pages in the order in which it was fixed', async () => {
    const segment_id = newId();
    const clients = harness.newClients(1_203);
    harness.peers.segments.set(segment_id, clients);
    const { id } = await launched({ segment_id }, harness.giving());
    await harness.workOut(id);
    const members = await harness.members(id);
    expect(members.map(({ client_id }) => client_id)).toEqual(clients);
    expect(members.map(({ position }) => position)).toEqual(clients.map((_, index) => index + 1));
    expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
    expect(harness.peers.asked).toBe(clients.length);
    expect(harness.peers.trail.size).toBe(clients.length);
  });

  test('is for those who were in the audience when it started, whatever its own actions change', async () => {
    const segment_id = newId();
    const clients = harness.newClients(3);
    harness.peers.segments.set(segment_id, [...clients]);
    const { id } = await launched({ segment_id }, harness.giving(), harness.giving());
    harness.peers.before = () => {
      harness.peers.segments.set(segment_id, [harness.newClient()]);
    };
    await harness.workOut(id);
    expect(sorted(harness.peers.done('give'))).toEqual(sorted([...clients, ...clients]));
  });

  test('counts a refusal against the member it is about, and goes on with the others', async () => {
    const [lucky, unlucky] = harness.newClients(2) as [string, string];
    const { id, actionIds } = await launched(
      { manual_client_ids: [lucky, unlucky] },
      harness.giving(),
    );
    failFor(unlucky, platform.invalidPayload({ message: 'usage limit reached' }));
    await harness.workOut(id);
    const failed = await harness.deps.audience.withStatus(
      harness.workspaceId,
      { campaignId: id, status: 'failed' },
      { limit: 10 },
    );
    expect(failed.members).toMatchObject([
      { client_id: unlucky, error_message: 'usage limit reached' },
    ]);
    const [action] = await harness.deps.actions.list(harness.workspaceId, id);
    expect(action).toMatchObject({ id: actionIds[0], status: 'completed' });
  });

  test('fails an action that succeeded with no member', async () => {
    const { id } = await launched({ manual_client_ids: harness.newClients(2) }, harness.giving());
    harness.peers.before = () => {
      throw platform.invalidPayload();
    };
    await harness.workOut(id);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'completed',
      actions_failed: 1,
      audience_failed: 2,
      rewards_issued: 0,
    });
  });

  test('waits for a service that is away, and then serves those who were left', async () => {
    const clients = harness.newClients(20);
    const { id } = await launched({ manual_client_ids: clients }, harness.giving());
    let calls = 0;
    harness.peers.before = () => {
      calls += 1;
      if (calls > 5 && calls < 40) throw platform.serviceUnavailable();
    };
    await harness.workOut(id);
    expect(await statusOf(id)).toBe('completed');
    expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
    expect(await harness.statistics(id)).toMatchObject({ audience_completed: 20 });
  });

  test('gives up whom a service keeps failing on while it serves the others', async () => {
    const [cursed, ...others] = harness.newClients(5);
    const clients = [cursed!, ...others];
    const { id } = await launched({ manual_client_ids: clients }, harness.giving());
    failFor(cursed!, new Error('a bug'));
    await harness.workOut(id);
    expect(sorted(harness.peers.done('give'))).toEqual(sorted(others));
    expect(await harness.statistics(id)).toMatchObject(ALL_BUT_ONE);
  });

  test('gives up the one pass whose text keeps failing, and sends it to all others once', async () => {
    const clients = harness.newClients(5, 1);
    const [cursed, ...others] = clients.map((id) => harness.peers.passesOf.get(id)![0]!);
    const { id } = await launched({ manual_client_ids: clients }, harness.pushing());
    failFor(cursed!, new Error('a bug'));
    await harness.workOut(id);
    expect(sorted(harness.peers.done('push'))).toEqual(sorted(others));
    expect(await harness.statistics(id)).toMatchObject(ALL_BUT_ONE);
  });

  test('serves a page of members by one call for each of its actions', async () => {
    const clients = harness.newClients(120);
    const tier_id = harness.newTier();
    const { id } = await launched(
      { manual_client_ids: clients },
      ['custom_field_update', { custom_field_updates: { wave: 1 } }],
      ['assign_tier', { tier_id }],
    );
    const peers = harness.peers.asPeers();
    const calls: number[] = [];
    const { UpdateCustomFields } = peers.clients;
    const { AssignTiers } = peers.tiers;
    const deps = harness.depsOver(harness.store.connection, {
      ...peers,
      clients: {
        ...peers.clients,
        UpdateCustomFields: (request) => {
          calls.push(request.changes.length);
          return UpdateCustomFields(request);
        },
      },
      tiers: {
        ...peers.tiers,
        AssignTiers: (request) => {
          calls.push(request.assignments.length);
          return AssignTiers(request);
        },
      },
    });
    await harness.workOut(id, deps);
    expect(calls).toEqual([120, 120]);
    expect(sorted(harness.peers.done('assign'))).toEqual(sorted(clients));
  });

  test.each([
    ['custom_field_update', 'update'],
    ['assign_tier', 'assign'],
    ['give_reward', 'give'],
  ] as const)(
    'gives up the one member whom %s keeps failing for, and serves all others once',
    async (type, command) => {
      const clients = harness.newClients(7);
      const unlucky = clients[3]!;
      const configs = {
        custom_field_update: { custom_field_updates: { wave: 1 } },
        assign_tier: { tier_id: harness.newTier() },
        give_reward: { reward_ids: [harness.newReward()] },
      };
      const { id } = await launched({ manual_client_ids: clients }, [type, configs[type]]);
      failFor(unlucky, new Error('a fault'));
      await harness.workOut(id);
      const others = clients.filter((client) => client !== unlucky);
      expect(sorted(harness.peers.done(command))).toEqual(sorted(others));
      expect(await harness.statistics(id)).toMatchObject({
        audience_completed: 6,
        audience_failed: 1,
      });
    },
  );

  test('completes at once where the audience is empty', async () => {
    const segment_id = newId();
    harness.peers.segments.set(segment_id, []);
    const { id } = await launched({ segment_id }, harness.giving());
    await harness.workOut(id);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'completed',
      actions_completed: 1,
      actions_failed: 0,
    });
  });

  test('fails every action of a campaign whose segment has vanished, and says why', async () => {
    const segment_id = newId();
    harness.peers.segments.set(segment_id, harness.newClients(3));
    const scheduled = await harness.newCampaign(
      { segment_id },
      harness.giving(),
      harness.pushing(),
    );
    const due = new Date(harness.clock.now().getTime() + 60_000);
    const at = { scheduled_at: due.toISOString() };
    await scheduleCampaign(harness.deps, { ...harness.row(scheduled.id), ...at });
    const started = await launched({ segment_id }, harness.giving(), harness.giving());
    harness.peers.segments.delete(segment_id);
    harness.clock.set(due);
    await launchDue(harness.deps);
    await harness.workOut(started.id);
    await harness.workOut(scheduled.id);
    for (const { id } of [scheduled, started]) {
      expect(await harness.statistics(id)).toMatchObject({
        status: 'completed',
        total_targeted: 0,
        actions_completed: 0,
        actions_failed: 2,
      });
      for (const action of await harness.deps.actions.list(harness.workspaceId, id))
        expect(action).toMatchObject({
          status: 'failed',
          executed_at: expect.any(Date),
          error_message: 'the segment of the campaign has been deleted',
        });
    }
    expect(harness.peers.effects.size).toBe(0);
  });

  test('tells of each action whom it could not reach, whatever else reached them', async () => {
    const [holder, passless] = [harness.newClient({}, 1), harness.newClient()];
    const silent = harness.newClient({ marketing_consent: false }, 1);
    const { id, actionIds } = await launched(
      { manual_client_ids: [holder, passless, silent] },
      harness.pushing(),
      harness.giving(),
    );
    await harness.workOut(id);
    const [push, give] = actionIds as [string, string];
    const { stats } = await getActionStats(harness.deps, harness.row(id));
    expect(stats).toEqual([
      { campaign_action_id: push, attempted: 1, completed: 1, failed: 0, unreachable: 2 },
      { campaign_action_id: give, attempted: 3, completed: 3, failed: 0, unreachable: 0 },
    ]);
    expect(await harness.statistics(id)).toMatchObject({
      audience_completed: 3,
      audience_unreachable: 0,
    });
    const request = { ...harness.row(id), campaign_id: id, limit: 10, offset: 0 };
    const { members } = await listMembers(harness.deps, request);
    expect(members.map(({ client_id, outcomes }) => [client_id, outcomes])).toEqual(
      [
        [holder, 'completed'],
        [passless, 'unreachable'],
        [silent, 'unreachable'],
      ].map(([client, result]) => [
        client,
        [
          { campaign_action_id: push, result },
          { campaign_action_id: give, result: 'completed' },
        ],
      ]),
    );
  });
});

test('a draft that names what has gone is neither scheduled nor started, and the answer says where it does', async () => {
  const clients = { manual_client_ids: harness.newClients(1) };
  const { id, actionIds } = await harness.newCampaign(clients, harness.pushing(), harness.giving());
  harness.peers.rewards.clear();
  const scheduled_at = new Date(harness.clock.now().getTime() + 60_000).toISOString();
  const row = harness.row(id);
  const tries = [
    () => scheduleCampaign(harness.deps, { ...row, scheduled_at }),
    () => launchCampaign(harness.deps, row),
    () => executeActions(harness.deps, row),
    () => executeAction(harness.deps, harness.row(actionIds[0]!)),
  ];
  for (const start of tries)
    await expect(start()).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'actions.1.action_config.reward_ids.0' }],
    });
  expect(await statusOf(id)).toBe('draft');
});

describe('executing by hand', () => {
  test('one action makes a draft active; when the last is done it is completed', async () => {
    const clients = harness.newClients(3);
    const { id, actionIds } = await harness.newCampaign(
      { manual_client_ids: clients },
      harness.giving(),
      harness.giving(),
    );
    const [first, second] = actionIds as [string, string];
    const done = await executeAction(harness.deps, harness.row(second));
    expect(done).toMatchObject({ id: second, status: 'completed' });
    expect(await statusOf(id)).toBe('active');
    expect(harness.peers.effects.size).toBe(3);
    await expect(executeAction(harness.deps, harness.row(second))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await executeAction(harness.deps, harness.row(first));
    expect(await statusOf(id)).toBe('completed');
    expect(harness.peers.effects.size).toBe(6);
    expect(await harness.events('campaigns.launched', id)).toHaveLength(1);
    expect(await harness.events('campaigns.completed', id)).toHaveLength(1);
  });

  test('all of them answers after a small audience, and at once for a large one', async () => {
    const small = await harness.newCampaign(
      { manual_client_ids: harness.newClients(100) },
      harness.giving(),
    );
    const { actions } = await executeActions(harness.deps, harness.row(small.id));
    expect(actions.map(({ status }) => status)).toEqual(['completed']);
    const large = await harness.newCampaign(
      { manual_client_ids: harness.newClients(101) },
      harness.giving(),
    );
    const begun = await executeActions(harness.deps, harness.row(large.id));
    expect(begun.actions.map(({ status }) => status)).toEqual(['pending']);
    await harness.workOut(large.id);
    expect(await statusOf(large.id)).toBe('completed');
  });
});

describe('a scheduled campaign', () => {
  test('is launched when its time has come, also when no worker ran at that time', async () => {
    const clients = harness.newClients(2);
    const { id } = await harness.newCampaign({ manual_client_ids: clients }, harness.giving());
    const at = new Date(harness.clock.now().getTime() + 60_000).toISOString();
    await scheduleCampaign(harness.deps, { ...harness.row(id), scheduled_at: at });
    harness.clock.advanceMs(59_999);
    await launchDue(harness.deps);
    expect(await statusOf(id)).toBe('scheduled');
    harness.clock.advanceMs(86_400_000);
    const replica = await harness.anotherInstance();
    await Promise.all([launchDue(harness.deps), launchDue(replica)]);
    expect(await statusOf(id)).toBe('active');
    await harness.workOut(id);
    expect(await statusOf(id)).toBe('completed');
    expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
    expect(await harness.events('campaigns.launched', id)).toHaveLength(1);
  });

  test('that names what is deleted while it is scheduled is a draft again, for the time that it named', async () => {
    const manual_client_ids = harness.newClients(1);
    const scheduled_at = new Date(harness.clock.now().getTime() + 3_600_000).toISOString();
    const fields = { manual_client_ids, scheduled_at };
    const { id } = await harness.newCampaign(fields, harness.giving());
    const { rewards } = harness.deps;
    let asked = 0;
    const GetRewards: typeof rewards.GetRewards = async (request) => {
      asked += 1;
      return asked > 1 ? { rewards: [] } : rewards.GetRewards(request);
    };
    const deps = { ...harness.deps, rewards: { ...rewards, GetRewards } };
    const at = new Date(harness.clock.now().getTime() + 60_000).toISOString();
    const row = harness.row(id);
    const drafted = (await harness.deps.campaigns.find(row.workspace_id, id))!;
    const context = systemContext({ condition: [etagOf(versionOfCampaign(drafted))] });
    const scheduling = runInContext(context, () =>
      scheduleCampaign(deps, { ...row, scheduled_at: at }),
    );
    await expect(scheduling).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    expect(asked).toBe(2);
    expect(await harness.deps.campaigns.find(row.workspace_id, id)).toMatchObject({
      status: 'draft',
      scheduled_at: new Date(scheduled_at),
    });
  });
});

describe('races', () => {
  test('two launches at once are one launch', async () => {
    const replica = await harness.anotherInstance();
    const { id } = await harness.newCampaign(
      { manual_client_ids: harness.newClients(2) },
      harness.giving(),
    );
    const tries = [harness.deps, replica, harness.deps].map((deps) =>
      launchCampaign(deps, harness.row(id)).then(
        () => 'launched',
        (error) => error.code,
      ),
    );
    expect((await Promise.all(tries)).sort()).toEqual(['CONFLICT', 'CONFLICT', 'launched']);
    expect(await harness.events('campaigns.launched', id)).toHaveLength(1);
  });

  test('two replicas at work, of which one has lost its claim, serve no member twice', async () => {
    const clients = harness.newClients(120, 1);
    const { id } = await launched(
      { manual_client_ids: clients },
      harness.giving(),
      harness.pushing(),
    );
    const replica = await harness.anotherInstance();
    const takingOver = async (deps: Deps) => {
      // Standing still for longer than a claim lasts, as a process may.
      for (let turn = 0; turn < 6; turn += 1) {
        harness.clock.advanceMs(30_000);
        await workCampaign(deps, id);
      }
    };
    await Promise.all([takingOver(harness.deps), takingOver(replica)]);
    await harness.workOut(id);
    expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
    expect(harness.peers.done('push')).toHaveLength(120);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'completed',
      total_targeted: 120,
      audience_completed: 120,
      rewards_issued: 120,
    });
    expect(await harness.events('campaigns.completed', id)).toHaveLength(1);
  });

  test('cancelling while it runs keeps what has run and skips the rest', async () => {
    const clients = harness.newClients(200);
    const { id, actionIds } = await launched(
      { manual_client_ids: clients },
      harness.giving(),
      harness.giving(),
    );
    harness.peers.before = onceAfter(70, () => cancelCampaign(harness.deps, harness.row(id)));
    await harness.workOut(id);
    const served = harness.peers.effects.size;
    expect(served).toBeGreaterThanOrEqual(70);
    expect(served).toBeLessThanOrEqual(100);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'cancelled',
      audience_completed: served,
      audience_pending: 200 - served,
      audience_processing: 0,
      rewards_issued: served,
    });
    const actions = await harness.deps.actions.list(harness.workspaceId, id);
    expect(actions.map((action) => [action.id, action.status])).toEqual([
      [actionIds[0], 'completed'],
      [actionIds[1], 'pending'],
    ]);
    expect(await harness.events('campaigns.completed', id)).toEqual([]);
    expect(await harness.events('campaigns.cancelled', id)).toHaveLength(1);
    expect(await workOff(campaignWorker(harness.deps))).toBe(0);
  });

  test('cancelling while texts go out notes those of the call that was under way and sends no more', async () => {
    const clients = harness.newClients(700, 1);
    const { id } = await launched({ manual_client_ids: clients }, harness.pushing());
    harness.peers.before = onceAfter(70, () => cancelCampaign(harness.deps, harness.row(id)));
    await harness.workOut(id);
    expect(harness.peers.done('push')).toHaveLength(500);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'cancelled',
      audience_completed: 500,
      audience_pending: 200,
      audience_processing: 0,
    });
  });

  test('cancelling while the last members are noted counts no action failed that came to somebody', async () => {
    const clients = harness.newClients(50);
    const { id, actionIds } = await launched({ manual_client_ids: clients }, harness.giving());
    const noted = harness.deps.audience.record;
    const deps = {
      ...harness.deps,
      audience: {
        ...harness.deps.audience,
        record: async (...args: Parameters<typeof noted>) => {
          await noted(...args);
          await cancelCampaign(harness.deps, harness.row(id));
        },
      },
    };
    await harness.workOut(id, deps);
    await harness.workOut(id);
    expect(await harness.statistics(id)).toMatchObject({
      status: 'cancelled',
      audience_completed: 50,
      actions_completed: 1,
      actions_failed: 0,
    });
    const [action] = await harness.deps.actions.list(harness.workspaceId, id);
    expect(action).toMatchObject({ id: actionIds[0], status: 'completed' });
    expect(action!.executed_at).not.toBeNull();
  });

  test('an action that had reached no member when its campaign was cancelled is pending', async () => {
    const { id } = await launched({ manual_client_ids: harness.newClients(3) }, harness.giving());
    harness.peers.before = async () => {
      harness.peers.before = () => undefined;
      await cancelCampaign(harness.deps, harness.row(id));
      throw platform.serviceUnavailable();
    };
    const cancelledAtOnce = { ...harness.deps, audience: { ...harness.deps.audience } };
    cancelledAtOnce.audience.record = async () => undefined;
    await workCampaign(cancelledAtOnce, id);
    await harness.workOut(id);
    expect(await harness.statistics(id)).toMatchObject({
      audience_completed: 0,
      actions_pending: 1,
      actions_failed: 0,
    });
  });

  test('deleting while it runs ends it without an error', async () => {
    const { id } = await launched({ manual_client_ids: harness.newClients(200) }, harness.giving());
    harness.peers.before = onceAfter(60, () => deleteCampaign(harness.deps, harness.row(id)));
    await harness.workOut(id);
    expect(harness.peers.effects.size).toBeLessThanOrEqual(100);
    expect(await workOff(campaignWorker(harness.deps))).toBe(0);
    expect(await harness.events('campaigns.deleted', id)).toHaveLength(1);
  });

  test('an action is in the campaign that is launched, or refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await harness.newCampaign(
        { manual_client_ids: harness.newClients(1) },
        harness.giving(),
      );
      const [action_type, action_config] = harness.giving();
      const request = { workspace_id: harness.workspaceId, campaign_id: id };
      const [added] = await Promise.allSettled([
        createAction(harness.deps, { ...request, action_type, action_config }),
        launchCampaign(harness.deps, harness.row(id)),
      ]);
      await harness.workOut(id);
      const actions = await harness.deps.actions.list(harness.workspaceId, id);
      expect(actions).toHaveLength(added.status === 'fulfilled' ? 2 : 1);
      expect(actions.every(({ status }) => status === 'completed')).toBe(true);
      expect(await statusOf(id)).toBe('completed');
    }
  });

  test('several campaigns take turns: a large one does not keep a small one waiting', async () => {
    const large = await launched({ manual_client_ids: harness.newClients(400) }, harness.giving());
    harness.clock.advanceMs(1);
    const small = await launched({ manual_client_ids: harness.newClients(1) }, harness.giving());
    // Time passes while it works, so that a slice ends.
    harness.peers.before = () => harness.clock.advanceMs(100);
    const spec = campaignWorker(harness.deps);
    for (const turn of [large.id, small.id]) {
      const room = { count: 1, share: 1, inHand: new Map() };
      const [claimed] = await spec.due.claim(room, {
        now: harness.clock.now(),
        leaseMs: spec.leaseMs,
      });
      expect(claimed?.id).toBe(turn);
      await spec.work(claimed!.row, claimed!, awake);
    }
    expect([await statusOf(large.id), await statusOf(small.id)]).toEqual(['active', 'completed']);
    await harness.workOut(large.id);
    expect(await statusOf(large.id)).toBe('completed');
  });
});
