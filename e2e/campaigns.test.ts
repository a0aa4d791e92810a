import { randomUUID } from 'node:crypto';
import { actionIn, campaignIn, dataOf, PUSH, readyIn, rewardIn, UPDATE } from './support/campaigns';
import {
  expectStatus,
  newClient,
  newMember,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { expectRefusal } from './support/referrals';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

let workspace: TestWorkspace;
let stranger: TestWorkspace;
let client: string;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  client = (await newClient(workspace)).id;
});

const campaign = (overrides: object = {}, owner = workspace) => campaignIn(owner, overrides);
const segment = async (owner = workspace): Promise<string> =>
  expectStatus(await owner.post(':ws/segments', { name: 'All' }), 201).body.data.id;

describe('a campaign', () => {
  test('is created as a draft with its defaults and read back', async () => {
    const made = await campaign();
    expect(made).toEqual({
      id: expect.any(String),
      workspace_id: workspace.workspaceId,
      name: 'Spring',
      description: null,
      status: 'draft',
      segment_id: null,
      manual_client_ids: [],
      scheduled_at: null,
      started_at: null,
      completed_at: null,
      cancelled_at: null,
      date_created: TIMESTAMP,
      date_updated: TIMESTAMP,
    });
    expect(await dataOf(workspace, `/campaigns/${made.id}`)).toEqual(made);
  });

  test('takes a segment or a list of clients, and a time', async () => {
    const scheduled_at = '2031-05-01T10:00:00.000Z';
    const segment_id = await segment();
    expect(await campaign({ segment_id, scheduled_at, description: 'x' })).toMatchObject({
      segment_id,
      scheduled_at,
      description: 'x',
      status: 'draft',
    });
    const manual_client_ids = [client, client];
    expect((await campaign({ manual_client_ids })).manual_client_ids).toEqual([client]);
  });

  test('is listed newest first, in its workspace only', async () => {
    const owner = await newWorkspace();
    const first = await campaignIn(owner);
    const second = await campaignIn(owner);
    const list = expectStatus(await owner.get(':ws/campaigns'), 200).body;
    expect(list).toEqual({ data: [second, first] });
    expect(await dataOf(owner, ':ws/campaigns?limit=1&offset=1')).toEqual([first]);
  });

  test('changes by PATCH while it is a draft: workspace_id is stripped, null takes away', async () => {
    const segment_id = await segment();
    const { id } = await campaign({ segment_id, description: 'x' });
    const path = `/campaigns/${id}`;
    const body = { name: 'Autumn', description: null, workspace_id: stranger.workspaceId };
    expect(expectStatus(await workspace.patch(path, body), 200).body.data).toMatchObject({
      name: 'Autumn',
      description: null,
      segment_id,
      workspace_id: workspace.workspaceId,
    });
    const manual = { manual_client_ids: [client] };
    expectRefusal(await workspace.patch(path, manual), 400, 'INVALID_PAYLOAD', 'manual_client_ids');
    const moved = await workspace.patch(path, { segment_id: null, ...manual });
    expect(expectStatus(moved, 200).body.data).toMatchObject({ segment_id: null, ...manual });
    const emptied = await workspace.patch(path, { manual_client_ids: null });
    expect(expectStatus(emptied, 200).body.data.manual_client_ids).toEqual([]);
  });

  test('is copied with its audience and, unless the request says otherwise, its actions', async () => {
    const { id } = await readyIn(workspace, [client]);
    await workspace.patch(`/campaigns/${id}`, { scheduled_at: inAnHour() });
    const copy = expectStatus(await workspace.post(`/campaigns/${id}/duplicate`), 200).body.data;
    expect(copy).toMatchObject({
      name: 'Spring (copy)',
      status: 'draft',
      manual_client_ids: [client],
      scheduled_at: null,
    });
    const [action, ...others] = await dataOf(workspace, `/campaigns/${copy.id}/actions`);
    expect(others).toEqual([]);
    expect(action).toMatchObject({ campaign_id: copy.id, action_type: UPDATE[0] });
    const bare = { name: 'Bare', include_actions: false };
    const second = await workspace.post(`/campaigns/${id}/duplicate`, bare);
    expect(expectStatus(second, 200).body.data.name).toBe('Bare');
    expect(await dataOf(workspace, `/campaigns/${second.body.data.id}/actions`)).toEqual([]);
  });

  test('is gone after DELETE, with its actions', async () => {
    const { id, actionId } = await readyIn(workspace, [client]);
    const reply = expectStatus(await workspace.del(`/campaigns/${id}`), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expectRefusal(await workspace.get(`/campaigns/${id}`), 404, 'RECORD_NOT_FOUND');
    expectRefusal(await workspace.del(`/campaign-actions/${actionId}`), 404, 'RECORD_NOT_FOUND');
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ description: 7 }, 'description'],
    [{ scheduled_at: 'tomorrow' }, 'scheduled_at'],
    [{ segment_id: 'x' }, 'segment_id'],
    [{ segment_id: randomUUID() }, 'segment_id'],
    [{ manual_client_ids: ['x'] }, 'manual_client_ids.0'],
    [{ manual_client_ids: [randomUUID()] }, 'manual_client_ids.0'],
    [{ status: 'active' }, 'status'],
  ])('with %j is refused, naming %s', async (overrides, field) => {
    const body = { name: 'Spring', ...overrides };
    expectRefusal(await workspace.post(':ws/campaigns', body), 400, 'INVALID_PAYLOAD', field);
  });

  test('names a segment or clients, not both, and none of another workspace', async () => {
    const theirs = { client: (await newClient(stranger)).id, segment: await segment(stranger) };
    const both = { name: 'x', segment_id: await segment(), manual_client_ids: [client] };
    expectStatus(await workspace.post(':ws/campaigns', both), 400);
    const foreign = { name: 'x', manual_client_ids: [client, theirs.client] };
    const refused = await workspace.post(':ws/campaigns', foreign);
    expectRefusal(refused, 400, 'INVALID_PAYLOAD', 'manual_client_ids.1');
    const other = { name: 'x', segment_id: theirs.segment };
    expectRefusal(
      await workspace.post(':ws/campaigns', other),
      400,
      'INVALID_PAYLOAD',
      'segment_id',
    );
  });
});

describe('actions', () => {
  test('are added behind the others, changed, put in order and taken out', async () => {
    const { id } = await campaign();
    const first = await actionIn(workspace, id, ...UPDATE);
    expect(first).toEqual({
      id: expect.any(String),
      campaign_id: id,
      action_type: 'custom_field_update',
      action_config: UPDATE[1],
      status: 'pending',
      sort: expect.any(Number),
      executed_at: null,
      error_message: null,
      date_created: TIMESTAMP,
    });
    const second = await actionIn(workspace, id, ...PUSH);
    expect(second.sort).toBeGreaterThan(first.sort);
    const list = async () =>
      (await dataOf(workspace, `/campaigns/${id}/actions`)).map((one: { id: string }) => one.id);
    expect(await list()).toEqual([first.id, second.id]);
    const body = { action_ids: [second.id, first.id] };
    const moved = await workspace.post(`/campaigns/${id}/actions/reorder`, body);
    expect(expectStatus(moved, 200).body.data).toEqual([
      { id: second.id, sort: 0 },
      { id: first.id, sort: 1 },
    ]);
    expect(await list()).toEqual([second.id, first.id]);
    const action_config = { notification_message: 'Bye' };
    const changed = await workspace.patch(`/campaign-actions/${second.id}`, {
      action_config,
      sort: 9,
    });
    expect(expectStatus(changed, 200).body.data).toEqual({ ...second, action_config, sort: 9 });
    expect(await list()).toEqual([first.id, second.id]);
    const gone = await workspace.del(`/campaign-actions/${first.id}`);
    expect(expectStatus(gone, 200).body).toEqual({ success: true, message: expect.any(String) });
    expect(await list()).toEqual([second.id]);
  });

  test.each([
    ['push_notification', {}, 'action_config.notification_message'],
    ['push_notification', { notification_message: ' ' }, 'action_config.notification_message'],
    ['push_notification', { notification_message: 'x', title: 'y' }, 'action_config.title'],
    ['template_switch', {}, 'action_config.target_template_id'],
    ['template_switch', { target_template_id: randomUUID() }, 'action_config.target_template_id'],
    [
      'template_switch',
      { target_template_id: randomUUID(), duration_days: 3_651 },
      'action_config.duration_days',
    ],
    ['custom_field_update', { custom_field_updates: {} }, 'action_config.custom_field_updates'],
    ['custom_field_update', { custom_field_updates: [] }, 'action_config.custom_field_updates'],
    ['give_reward', { reward_ids: [] }, 'action_config.reward_ids'],
    ['give_reward', { reward_ids: ['x'] }, 'action_config.reward_ids.0'],
    ['give_reward', { reward_ids: [randomUUID()] }, 'action_config.reward_ids.0'],
    ['assign_tier', { tier_id: randomUUID() }, 'action_config.tier_id'],
    ['assign_tier', { tier_id: randomUUID(), duration_days: 0 }, 'action_config.duration_days'],
    ['dance', {}, 'action_type'],
    ['push_notification', 'x', 'action_config'],
    ['push_notification', undefined, 'action_config'],
  ])('of type %s with %j are refused, naming %s', async (action_type, action_config, field) => {
    const { id } = await campaign();
    const body = { action_type, action_config };
    const reply = await workspace.post(`/campaigns/${id}/actions`, body);
    expectRefusal(reply, 400, 'INVALID_PAYLOAD', field);
  });

  test('name nothing of another workspace, neither at first nor later', async () => {
    const { id } = await campaign();
    const [own, theirs] = [await rewardIn(workspace), await rewardIn(stranger)];
    const { id: actionId } = await actionIn(workspace, id, 'give_reward', { reward_ids: [own] });
    const body = { action_config: { reward_ids: [own, theirs] } };
    const reply = await workspace.patch(`/campaign-actions/${actionId}`, body);
    expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'action_config.reward_ids.1');
  });

  test('write custom fields as the data model has them', async () => {
    const owner = await newWorkspace();
    const defined = { field_name: 'age', field_label: 'Age', field_type: 'number' };
    expectStatus(await owner.post(':ws/data-model', defined), 201);
    const { id } = await campaignIn(owner);
    await actionIn(owner, id, 'custom_field_update', {
      custom_field_updates: { age: 7, any: 'x' },
    });
    const action_config = { custom_field_updates: { age: 'seven' } };
    const body = { action_type: 'custom_field_update', action_config };
    const reply = await owner.post(`/campaigns/${id}/actions`, body);
    expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'action_config.custom_field_updates.age');
  });

  test('are put in order only when each is named once', async () => {
    const { id, actionId } = await readyIn(workspace, [client]);
    const { id: other } = await actionIn(workspace, id, ...PUSH);
    for (const action_ids of [
      [],
      [actionId],
      [actionId, actionId],
      [actionId, other, randomUUID()],
    ]) {
      const reply = await workspace.post(`/campaigns/${id}/actions/reorder`, { action_ids });
      expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'action_ids');
    }
  });
});

describe('the calendar and the summary', () => {
  test('show campaigns by their time, and count them by status', async () => {
    const owner = await newWorkspace();
    const at = (scheduled_at: string) => campaignIn(owner, { scheduled_at });
    const late = await at('2031-05-02T23:00:00.000Z');
    const early = await at('2031-05-01T00:00:00.000Z');
    const beyond = await at('2031-05-03T00:00:00.000Z');
    await campaignIn(owner);
    const ids = async (query: object) => {
      const asked = { workspace_id: owner.workspaceId, ...query };
      const { body } = expectStatus(await owner.get('/campaigns/calendar', asked), 200);
      return body.data.map((one: { id: string }) => one.id);
    };
    expect(await ids({})).toEqual([early.id, late.id, beyond.id]);
    const may = { start: '2031-05-01', end: '2031-05-02' };
    expect(await ids(may)).toEqual([early.id, late.id]);
    expect(await ids({ ...may, status: 'scheduled' })).toEqual([]);
    expect(await ids({ ...may, status: 'draft' })).toEqual([early.id, late.id]);
    const zeros = { scheduled: 0, active: 0, completed: 0, cancelled: 0 };
    expect(await dataOf(owner, ':ws/campaigns/summary')).toEqual({ draft: 4, ...zeros });
  });

  test('need the workspace, and a membership of it', async () => {
    expectRefusal(
      await workspace.get('/campaigns/calendar'),
      400,
      'INVALID_PAYLOAD',
      'workspace_id',
    );
    const theirs = { workspace_id: stranger.workspaceId };
    expectRefusal(await workspace.get('/campaigns/calendar', theirs), 403, 'FORBIDDEN');
    const bad = { workspace_id: workspace.workspaceId, status: 'paused' };
    expectRefusal(
      await workspace.get('/campaigns/calendar', bad),
      400,
      'INVALID_PAYLOAD',
      'status',
    );
  });
});

test('campaigns are their workspace own: strangers find nothing under any path', async () => {
  const { id, actionId } = await readyIn(workspace, [client]);
  const reads = ['', '/actions', '/preview', '/count', '/events', '/errors', '/audience'];
  reads.push('/estimate', '/statistics', '/unreachable-audience', '/action-stats');
  for (const path of reads) {
    expectRefusal(await stranger.get(`/campaigns/${id}${path}`), 404, 'RECORD_NOT_FOUND');
    expectRefusal(
      await workspace.get(`/campaigns/${randomUUID()}${path}`),
      404,
      'RECORD_NOT_FOUND',
    );
    expectRefusal(await workspace.get(`/campaigns/x${path}`), 400, 'INVALID_PAYLOAD', 'id');
  }
  for (const verb of ['duplicate', 'schedule', 'unschedule', 'launch', 'cancel', 'execute-all'])
    expectRefusal(await stranger.post(`/campaigns/${id}/${verb}`), 404, 'RECORD_NOT_FOUND');
  const action = `/campaign-actions/${actionId}`;
  expectRefusal(await stranger.post(`${action}/execute`), 404, 'RECORD_NOT_FOUND');
  expectRefusal(await stranger.patch(action, { sort: 1 }), 404, 'RECORD_NOT_FOUND');
  expectRefusal(await stranger.del(action), 404, 'RECORD_NOT_FOUND');
  expectRefusal(await stranger.patch(`/campaigns/${id}`, {}), 404, 'RECORD_NOT_FOUND');
  expectRefusal(await stranger.del(`/campaigns/${id}`), 404, 'RECORD_NOT_FOUND');
  const member = await newMember(workspace);
  expectStatus(await member.get(`/campaigns/${id}`), 200);
});
