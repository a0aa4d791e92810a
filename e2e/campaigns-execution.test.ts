import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import {
  actionIn,
  campaignIn,
  dataOf,
  PUSH,
  passIn,
  readyIn,
  rewardIn,
  settled,
  statisticsOf,
  templateIn,
  UPDATE,
} from './support/campaigns';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from './support/factories';
import { insistOnAll } from './support/insist';
import { openReceiver } from './support/receiver';
import { expectRefusal } from './support/referrals';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const CLIENTS_AT_ONCE = 10;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

let workspace: TestWorkspace;
let template: Awaited<ReturnType<typeof templateIn>>;
beforeAll(async () => {
  workspace = await newWorkspace();
  template = await templateIn(workspace);
});

const clientWith = async (overrides: object = {}): Promise<string> =>
  (await newClient(workspace, { marketing_consent: true, ...overrides })).id;
const clientsOf = (count: number) => Promise.all(Array.from({ length: count }, () => clientWith()));
/** A segment of everybody, with so many new clients in it. */
const segmentOf = async (owner: TestWorkspace, count: number): Promise<string> => {
  const path = `/workspace/${owner.workspaceId}/clients`;
  for (let made = 0; made < count; made += CLIENTS_AT_ONCE) {
    const wishes = Array.from({ length: Math.min(CLIENTS_AT_ONCE, count - made) }, () => ({
      path,
    }));
    for (const reply of await insistOnAll(owner, wishes)) expectStatus(reply, 201);
  }
  return expectStatus(await owner.post(':ws/segments', { name: 'All' }), 201).body.data.id;
};
const statusOf = async (id: string) => (await dataOf(workspace, `/campaigns/${id}`)).status;
const post = (id: string, verb: string, body = {}) =>
  workspace.post(`/campaigns/${id}/${verb}`, body);

describe('status', () => {
  test('draft, scheduled, draft again, active, completed', async () => {
    const { id } = await readyIn(workspace, [await clientWith()]);
    const scheduled_at = inAnHour();
    const scheduled = expectStatus(await post(id, 'schedule', { scheduled_at }), 200).body.data;
    expect(scheduled).toMatchObject({ id, status: 'scheduled', scheduled_at });
    const draft = expectStatus(await post(id, 'unschedule'), 200).body.data;
    expect(draft).toMatchObject({ status: 'draft', scheduled_at: null });
    const active = expectStatus(await post(id, 'launch'), 200).body.data;
    expect(active).toMatchObject({ status: 'active', started_at: TIMESTAMP, completed_at: null });
    await settled(workspace, id);
    expect(await dataOf(workspace, `/campaigns/${id}`)).toMatchObject({
      status: 'completed',
      started_at: active.started_at,
      completed_at: TIMESTAMP,
    });
  });

  test('a campaign without an audience or an action is neither scheduled nor started', async () => {
    const client = await clientWith();
    const bare = await campaignIn(workspace);
    await actionIn(workspace, bare.id, ...UPDATE);
    const idle = await campaignIn(workspace, { manual_client_ids: [client] });
    for (const { id } of [bare, idle]) {
      const body = { scheduled_at: inAnHour() };
      expectRefusal(await post(id, 'schedule', body), 400, 'INVALID_PAYLOAD');
      expectRefusal(await post(id, 'launch'), 400, 'INVALID_PAYLOAD');
      expectRefusal(await post(id, 'execute-all'), 400, 'INVALID_PAYLOAD');
      expect(await statusOf(id)).toBe('draft');
    }
  });

  test('a campaign is scheduled for the future', async () => {
    const { id } = await readyIn(workspace, [await clientWith()]);
    for (const body of [{}, { scheduled_at: null }, { scheduled_at: '2020-01-01T00:00:00Z' }])
      expectRefusal(await post(id, 'schedule', body), 400, 'INVALID_PAYLOAD', 'scheduled_at');
  });

  test('what the status forbids is a conflict', async () => {
    const { id, actionId } = await readyIn(workspace, [await clientWith()]);
    const scheduled_at = inAnHour();
    for (const verb of ['unschedule', 'cancel'])
      expectRefusal(await post(id, verb), 409, 'CONFLICT');
    expectStatus(await post(id, 'schedule', { scheduled_at }), 200);
    expectRefusal(await post(id, 'schedule', { scheduled_at }), 409, 'CONFLICT');
    expectStatus(await post(id, 'cancel'), 200);
    for (const verb of ['launch', 'cancel', 'unschedule', 'execute-all'])
      expectRefusal(await post(id, verb), 409, 'CONFLICT');
    expectRefusal(await post(id, 'schedule', { scheduled_at }), 409, 'CONFLICT');
    expectRefusal(await workspace.patch(`/campaigns/${id}`, { name: 'x' }), 409, 'CONFLICT');
    const action = { action_type: PUSH[0], action_config: PUSH[1] };
    expectRefusal(await post(id, 'actions', action), 409, 'CONFLICT');
    expectRefusal(await post(id, 'actions/reorder', { action_ids: [actionId] }), 409, 'CONFLICT');
    const path = `/campaign-actions/${actionId}`;
    expectRefusal(await workspace.patch(path, { sort: 4 }), 409, 'CONFLICT');
    expectRefusal(await workspace.del(path), 409, 'CONFLICT');
    expectRefusal(await workspace.post(`${path}/execute`), 409, 'CONFLICT');
    expectStatus(await workspace.del(`/campaigns/${id}`), 200);
  });

  test('a scheduled campaign runs by itself when its time has come', async () => {
    const client = await clientWith();
    const { id } = await readyIn(workspace, [client]);
    // A time that has gone by when it arrives is refused.
    await until(async () => {
      const scheduled_at = new Date(Date.now() + 5_000).toISOString();
      return expectStatus(await post(id, 'schedule', { scheduled_at }), 200);
    });
    await settled(workspace, id);
    const { custom_fields } = await dataOf(workspace, `:ws/clients/${client}`);
    expect(custom_fields).toEqual({ vip: true });
  });

  test('of many launches at once one takes place', async () => {
    const client = await clientWith();
    const reward_ids = [await rewardIn(workspace)];
    const { id } = await campaignIn(workspace, { manual_client_ids: [client] });
    await actionIn(workspace, id, 'give_reward', { reward_ids });
    const verbs = ['launch', 'execute-all', 'launch', 'execute-all', 'launch'];
    await Promise.all(verbs.map((verb) => post(id, verb)));
    expect(await settled(workspace, id)).toMatchObject({ rewards_issued: 1 });
    const redemptions = await dataOf(workspace, `:ws/rewards/redemptions?client_id=${client}`);
    expect(redemptions).toHaveLength(1);
  });
});

describe('executing', () => {
  test('every kind of action does what it says, once per pass or client', async () => {
    const own = await newWorkspace();
    const card = await templateIn(own);
    const target = await templateIn(own);
    expectStatus(await own.post(':ws/tiers/set', { name: 'Set' }), 201);
    const tier = { name: 'Gold', kind: 'exclusive', color: '#FFD700', condition_values: {} };
    const { id: tier_id } = expectStatus(await own.post(':ws/tiers', tier), 201).body.data;
    const reward_ids = [await rewardIn(own), await rewardIn(own)];
    const consenting = { marketing_consent: true, loyalty_program_enabled: true };
    const [holder, passless] = [
      (await newClient(own, { ...consenting, first_name: 'Ada' })).id,
      (await newClient(own, { ...consenting })).id,
    ];
    const pass = await passIn(own, card, holder);
    const { id } = await campaignIn(own, { manual_client_ids: [holder, passless] });
    await actionIn(own, id, ...PUSH);
    await actionIn(own, id, 'template_switch', {
      target_template_id: target.pass_template_id,
      duration_days: 7,
    });
    await actionIn(own, id, ...UPDATE);
    await actionIn(own, id, 'give_reward', { reward_ids });
    await actionIn(own, id, 'assign_tier', { tier_id, duration_days: 30 });
    const { data } = expectStatus(await own.post(`/campaigns/${id}/execute-all`), 200).body;
    expect(data).toHaveLength(5);
    for (const action of data)
      expect(action).toMatchObject({ status: 'completed', executed_at: TIMESTAMP });

    expect(await dataOf(own, `/passes/${pass}`)).toMatchObject({
      notification: 'Hello',
      pass_template_id: target.pass_template_id,
      previous_template_id: card.pass_template_id,
      template_expires_at: TIMESTAMP,
    });
    for (const client of [holder, passless]) {
      expect((await dataOf(own, `:ws/clients/${client}`)).custom_fields).toEqual({ vip: true });
      const given = await dataOf(own, `:ws/rewards/redemptions?client_id=${client}`);
      expect(given.map((one: { reward_id: string }) => one.reward_id).sort()).toEqual(
        [...reward_ids].sort(),
      );
      for (const one of given) expect(one).toMatchObject({ source: 'campaign', points_spent: 0 });
      const standing = await dataOf(own, `:ws/clients/${client}/tier`);
      expect(standing).toMatchObject({ tier: { id: tier_id }, manually_assigned: true });
      expect(standing.expires_at).not.toBeNull();
    }
    expect(await statisticsOf(own, id)).toEqual({
      campaign_id: id,
      status: 'completed',
      total_targeted: 2,
      audience_pending: 0,
      audience_processing: 0,
      audience_completed: 2,
      audience_failed: 0,
      audience_unreachable: 0,
      actions_total: 5,
      actions_pending: 0,
      actions_completed: 5,
      actions_failed: 0,
      rewards_issued: 4,
      tiers: [
        { tier_id, tier_name: 'Gold', tier_color: '#FFD700', total: 2, completed: 2, failed: 0 },
      ],
      scheduled_at: null,
      started_at: TIMESTAMP,
      completed_at: TIMESTAMP,
    });
    const stats = await dataOf(own, `/campaigns/${id}/action-stats`);
    expect(stats).toEqual(
      data.map((action: { id: string; action_type: string }) => {
        const isForPass = ['push_notification', 'template_switch'].includes(action.action_type);
        const count = isForPass ? 1 : 2;
        const counts = {
          attempted: count,
          completed: count,
          failed: 0,
          unreachable: 2 - count,
        };
        return { campaign_action_id: action.id, ...counts };
      }),
    );
    const audience = expectStatus(await own.get(`/campaigns/${id}/audience`), 200).body;
    expect(audience.meta).toEqual({ total: 2 });
    expect(audience.data[0]).toEqual({
      id: expect.any(String),
      pass_id: pass,
      client_id: holder,
      status: 'completed',
      error_message: null,
      processed_at: TIMESTAMP,
      first_name: 'Ada',
      last_name: null,
      email: expect.any(String),
      ...card,
      outcomes: data.map((action: { id: string }) => ({
        campaign_action_id: action.id,
        result: 'completed',
      })),
    });
    const events = expectStatus(await own.get(`/campaigns/${id}/events`, { limit: 3 }), 200).body;
    expect(events.data).toHaveLength(3);
    // Two clients with a changed field, two rewards, two tiers; one pass with a push and a template.
    expect(events.meta).toEqual({ total: 8 });
    for (const event of events.data) expect(event.source).toBe(`campaign:${id}`);
  });

  test('one action makes a draft active, and answers how it ended', async () => {
    const { id, actionId } = await readyIn(workspace, [await clientWith()]);
    const { id: second } = await actionIn(workspace, id, ...PUSH);
    const run = await workspace.post(`/campaign-actions/${actionId}/execute`);
    expect(expectStatus(run, 200).body).toEqual({
      data: { id: actionId, status: 'completed', executed_at: TIMESTAMP },
    });
    expect(await statusOf(id)).toBe('active');
    const again = await workspace.post(`/campaign-actions/${actionId}/execute`);
    expectRefusal(again, 409, 'CONFLICT');
    const { data } = expectStatus(await post(id, 'execute-all'), 200).body;
    const states = data.map((one: { id: string; status: string }) => [one.id, one.status]);
    expect(states).toEqual([
      [actionId, 'completed'],
      [second, 'completed'],
    ]);
    expect(await statusOf(id)).toBe('completed');
  });

  test('a push reaches who has a pass and agreed; the others are unreachable', async () => {
    const silent = await clientWith({ marketing_consent: false });
    const passless = await clientWith({ first_name: 'Pia' });
    const reached = await clientWith();
    const pass = await passIn(workspace, template, reached);
    await passIn(workspace, template, silent);
    const { id } = await campaignIn(workspace, { manual_client_ids: [silent, passless, reached] });
    await actionIn(workspace, id, ...PUSH);
    const unreachable = await dataOf(workspace, `/campaigns/${id}/unreachable-audience`);
    expect(unreachable).toEqual([
      { client_id: passless, first_name: 'Pia', last_name: null, email: expect.any(String) },
    ]);
    const body = { client_ids: [silent, passless, reached] };
    const reach = await workspace.post(':ws/audience-reachability', body);
    expect(expectStatus(reach, 200).body.data).toEqual({ total: 3, reachable: 2, unreachable: 1 });
    expectStatus(await post(id, 'launch'), 200);
    expect(await settled(workspace, id)).toMatchObject({
      total_targeted: 3,
      audience_completed: 1,
      audience_unreachable: 2,
      actions_completed: 1,
    });
    expect((await dataOf(workspace, `/passes/${pass}`)).notification).toBe('Hello');
    expect(await dataOf(workspace, `/campaigns/${id}/errors`)).toEqual([]);
  });

  test('the text of a push is filled for each who gets it', async () => {
    const [ada, bo] = [
      await clientWith({ first_name: 'Ada' }),
      await clientWith({ first_name: 'Bo' }),
    ];
    const passes = [await passIn(workspace, template, ada), await passIn(workspace, template, bo)];
    const { id } = await campaignIn(workspace, { manual_client_ids: [ada, bo] });
    const notification_message = 'Hi {{first_name}}, a coffee for you';
    await actionIn(workspace, id, 'push_notification', { notification_message });
    expectStatus(await post(id, 'execute-all'), 200);
    const texts = await Promise.all(passes.map((pass) => dataOf(workspace, `/passes/${pass}`)));
    expect(texts.map(({ notification }) => notification)).toEqual([
      'Hi Ada, a coffee for you',
      'Hi Bo, a coffee for you',
    ]);
  });

  test('a card that is handed over before a text is sent shows nothing of it, but where its holder was merged', async () => {
    const own = await newWorkspace();
    const card = await templateIn(own);
    const other = await templateIn(own);
    const agreed = () => newClient(own, { marketing_consent: true });
    const [giver, taker, source, target] = [
      await agreed(),
      await agreed(),
      await agreed(),
      await agreed(),
    ];
    const [given, merged] = [await passIn(own, card, giver.id), await passIn(own, card, source.id)];
    const { id } = await campaignIn(own, { manual_client_ids: [giver.id, source.id] });
    const first = await actionIn(own, id, ...UPDATE);
    await actionIn(own, id, ...PUSH);
    const target_template_id = other.pass_template_id;
    await actionIn(own, id, 'template_switch', { target_template_id });
    expectStatus(await own.post(`/campaign-actions/${first.id}/execute`), 200);
    expectStatus(await own.patch(`/passes/${given}`, { client_id: taker.id }), 200);
    const merge = { source_client_id: source.id, target_client_id: target.id };
    expectStatus(await own.post(':ws/clients/merge', merge), 200);
    expectStatus(await own.post(`/campaigns/${id}/execute-all`), 200);
    await settled(own, id);
    expect(await dataOf(own, `/passes/${given}`)).toMatchObject({
      client_id: taker.id,
      notification: null,
      pass_template_id: card.pass_template_id,
    });
    expect(await dataOf(own, `/passes/${merged}`)).toMatchObject({
      notification: 'Hello',
      pass_template_id: other.pass_template_id,
    });
    const [error, ...errors] = await dataOf(own, `/campaigns/${id}/errors`);
    expect(errors).toEqual([]);
    expect(error).toMatchObject({
      client_id: giver.id,
      pass_id: given,
      error_message: expect.stringContaining('not of this client any more'),
    });
  });

  test('what a service refuses is an error of the member it is about', async () => {
    const [first, second] = (await clientsOf(2)) as [string, string];
    const { id } = await campaignIn(workspace, { manual_client_ids: [first, second] });
    const reward_ids = [await rewardIn(workspace, { usage_limit: 1 })];
    await actionIn(workspace, id, 'give_reward', { reward_ids });
    expectStatus(await post(id, 'execute-all'), 200);
    expect(await statisticsOf(workspace, id)).toMatchObject({
      audience_completed: 1,
      audience_failed: 1,
      rewards_issued: 1,
    });
    const [error, ...others] = await dataOf(workspace, `/campaigns/${id}/errors`);
    expect(others).toEqual([]);
    expect(error).toEqual({
      id: expect.any(String),
      pass_id: null,
      client_id: expect.any(String),
      status: 'failed',
      error_message: expect.any(String),
      first_name: null,
      last_name: null,
      email: expect.any(String),
      processed_at: TIMESTAMP,
    });
  });

  test('an audience of more than 100 is served in the background, each client once', async () => {
    const own = await newWorkspace();
    const { id } = await campaignIn(own, { segment_id: await segmentOf(own, 130) });
    await actionIn(own, id, 'give_reward', { reward_ids: [await rewardIn(own)] });
    expect(await dataOf(own, `/campaigns/${id}/unreachable-audience`)).toEqual([]);
    const reply = expectStatus(await own.post(`/campaigns/${id}/execute-all`), 200);
    expect(['pending', 'in_progress']).toContain(reply.body.data[0].status);
    expect(await settled(own, id)).toMatchObject({
      total_targeted: 130,
      audience_completed: 130,
      rewards_issued: 130,
    });
    const redemptions = expectStatus(await own.get(':ws/rewards/redemptions'), 200).body;
    expect(redemptions.meta.total_count).toBe(130);
  });

  test('cancelling keeps what has run and skips the rest', async () => {
    const own = await newWorkspace();
    const { id } = await campaignIn(own, { segment_id: await segmentOf(own, 220) });
    // So much for each that all of it cannot be over before it is cancelled.
    const reward_ids = await Promise.all(Array.from({ length: 8 }, () => rewardIn(own)));
    await actionIn(own, id, 'give_reward', { reward_ids });
    expectStatus(await own.post(`/campaigns/${id}/launch`), 200);
    await until(async () => (await statisticsOf(own, id)).rewards_issued > 0, {
      withinMs: 60_000,
    });
    const cancelled = expectStatus(await own.post(`/campaigns/${id}/cancel`), 200).body.data;
    const again = await own.post(`/campaigns/${id}/cancel`);
    expectRefusal(again, 409, 'CONFLICT');
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelled_at: TIMESTAMP });
    // The members that were being served at that moment are still served, and noted.
    const final = await until(
      async () => {
        const { meta } = expectStatus(await own.get(':ws/rewards/redemptions'), 200).body;
        const now = await statisticsOf(own, id);
        const isNoted = now.audience_processing === 0 && now.rewards_issued === meta.total_count;
        return isNoted ? now : null;
      },
      { withinMs: 60_000 },
    );
    expect(final.audience_completed + final.audience_pending).toBe(220);
    expect(final.audience_pending).toBeGreaterThan(0);
    await until(async () => (await statisticsOf(own, id)).actions_completed === 1);
    expect((await statisticsOf(own, id)).actions_failed).toBe(0);
  });
});

test('an audience is shown as it would be now: active clients only', async () => {
  const [active, inactive] = [await clientWith(), await clientWith({ status: 'inactive' })];
  const manual = await campaignIn(workspace, { manual_client_ids: [active, inactive] });
  const source = randomUUID();
  await workspace.patch(`:ws/clients/${active}`, { source: source.slice(0, 8) });
  await workspace.patch(`:ws/clients/${inactive}`, { source: source.slice(0, 8) });
  const filter = { field: 'source', operator: '_eq', value: source.slice(0, 8) };
  const filters = [{ filter_type: 'client_field', filter_config: filter }];
  const { data } = (await workspace.post(':ws/segments', { name: 'x', filters })).body;
  const bySegment = await campaignIn(workspace, { segment_id: data.id });
  for (const { id } of [manual, bySegment]) {
    const preview = expectStatus(await workspace.get(`/campaigns/${id}/preview`), 200).body;
    expect(preview.data.map((client: { id: string }) => client.id)).toEqual([active]);
    expect(preview.meta).toEqual({ total: 1 });
    expect(await dataOf(workspace, `/campaigns/${id}/count`)).toBe(1);
  }
  expect(await dataOf(workspace, `/campaigns/${(await campaignIn(workspace)).id}/count`)).toBe(0);
  const limit = `/campaigns/${manual.id}/preview?limit=0`;
  expectRefusal(await workspace.get(limit), 400, 'INVALID_PAYLOAD', 'limit');
  const foreign = { client_ids: [active, randomUUID()] };
  const reply = await workspace.post(':ws/audience-reachability', foreign);
  expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'client_ids.1');
});

test('webhooks hear of launch, completion and cancellation', async () => {
  const receiver = await openReceiver();
  try {
    const own = await newWorkspace();
    const event_types = ['campaign.launched', 'campaign.completed', 'campaign.cancelled'];
    const hook = await own.post(':ws/webhooks', { url: receiver.url, event_types });
    receiver.trust(expectStatus(hook, 201).body.secret);
    const { id: client } = await newClient(own);
    const done = await readyIn(own, [client]);
    expectStatus(await own.post(`/campaigns/${done.id}/execute-all`), 200);
    const dropped = await readyIn(own, [client]);
    await own.post(`/campaigns/${dropped.id}/schedule`, { scheduled_at: inAnHour() });
    expectStatus(await own.post(`/campaigns/${dropped.id}/cancel`), 200);
    const each = Object.fromEntries(event_types.map((type) => [type, 1]));
    await until(() => receiver.total() === 3, { withinMs: 30_000 });
    expect(receiver.byType()).toEqual(each);
  } finally {
    receiver.close();
  }
});

test('a person is out of every audience to come once gone, and may see those they were in', async () => {
  const [client, other] = (await clientsOf(2)) as [string, string];
  const ran = await readyIn(workspace, [client]);
  expectStatus(await post(ran.id, 'execute-all'), 200);
  const exported = expectStatus(await workspace.get(`:ws/clients/${client}/export`), 200).body;
  expect(JSON.stringify(exported)).toContain(ran.id);
  const draft = await campaignIn(workspace, { manual_client_ids: [client, other] });
  expectStatus(await workspace.del(`:ws/clients/${client}`), 200);
  await until(async () => {
    const { manual_client_ids } = await dataOf(workspace, `/campaigns/${draft.id}`);
    return manual_client_ids.length === 1;
  });
  const [member] = await dataOf(workspace, `/campaigns/${ran.id}/audience`);
  expect(member).toMatchObject({ client_id: client, email: null, first_name: null });
});
