import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { buy } from './support/purchases';

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  await newWalletType(workspace, { code: 'points' });
});

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** A new segment with these filters. */
const segment = async (...filters: [filter_type: string, filter_config: object][]) => {
  const body = {
    name: 'Regulars',
    filters: filters.map(([filter_type, filter_config]) => ({ filter_type, filter_config })),
  };
  return expectStatus(await workspace.post(':ws/segments', body), 201).body.data.id as string;
};
const members = async (id: string): Promise<string[]> => {
  const { body } = expectStatus(await workspace.get(`/segments/${id}/clients`), 200);
  return body.data.map((client: { id: string }) => client.id);
};
/** Waits until exactly the client is in the segment, which lasts as long as events travel. */
const becomes = (id: string, clientIds: string[]) =>
  until(async () => JSON.stringify(await members(id)) === JSON.stringify(clientIds), {
    what: `segment ${id} to have ${clientIds.length} members`,
  });

test('balances count as soon as the ledger has sent them', async () => {
  const client = await newClient(workspace);
  const rich = await segment([
    'wallet_balance',
    { wallet_type_code: 'points', balance: 'active', operator: '_gte', value: 100.5 },
  ]);
  const saver = await segment(
    ['wallet_balance', { wallet_type_code: 'points', balance: 'spent', operator: '_gt', value: 0 }],
    ['metric', { metric: 'points_earned', period_days: 1, operator: '_eq', value: 100.5 }],
    ['metric', { metric: 'points_earned', operator: '_eq', value: 100.5 }],
  );
  const points = { client_id: client.id };
  await workspace.post(':ws/loyalty/points/earn', { ...points, amount: 100.5 });
  await becomes(rich, [client.id]);
  expect(await members(saver)).toEqual([]);
  await workspace.post(':ws/loyalty/points/spend', { ...points, amount: 1 });
  await becomes(rich, []);
  await becomes(saver, [client.id]);
});

test('tiers count, also not having any', async () => {
  expectStatus(await workspace.post(':ws/tiers/set', { name: 'Club' }), 201);
  const body = { name: 'Friends', kind: 'exclusive', condition_values: {} };
  const tierId = expectStatus(await workspace.post(':ws/tiers', body), 201).body.data.id;
  const client = await newClient(workspace, { loyalty_program_enabled: true });
  const inTier = await segment(['tier', { tier_ids: [tierId] }]);
  const outside = await segment(
    ['tier', { tier_ids: 'untiered' }],
    ['client_field', { field: 'id', operator: '_eq', value: client.id }],
  );
  expect(await members(outside)).toEqual([client.id]);
  const assignment = { client_id: client.id, tier_id: tierId };
  expectStatus(await workspace.post(':ws/tiers/assign', assignment), 200);
  await becomes(inTier, [client.id]);
  expect(await members(outside)).toEqual([]);
});

test('purchases count within their windows, at once', async () => {
  const client = await newClient(workspace);
  const other = await newClient(workspace);
  await buy(workspace, client.id, { amount: 80, event_timestamp: daysAgo(40) });
  await buy(workspace, client.id, { amount: 20, event_timestamp: daysAgo(3) });
  const own = ['client_field', { field: 'id', operator: '_in', value: [client.id, other.id] }] as [
    string,
    object,
  ];
  const metric = (asked: object) => segment(['metric', asked as object], own);
  const cases: [Promise<string>, string[]][] = [
    [metric({ metric: 'total_spending', operator: '_eq', value: 100 }), [client.id]],
    [
      metric({ metric: 'total_spending', period_days: 30, operator: '_between', value: [20, 20] }),
      [client.id],
    ],
    [metric({ metric: 'transaction_count', operator: '_in', value: [2] }), [client.id]],
    [
      metric({ metric: 'transaction_count', period_days: 30, operator: '_lt', value: 1 }),
      [other.id],
    ],
    [metric({ metric: 'days_since_last_transaction', operator: '_eq', value: 3 }), [client.id]],
    [metric({ metric: 'days_since_last_transaction', operator: '_null' }), [other.id]],
    [metric({ metric: 'referrals_completed', operator: '_eq', value: 0 }), [other.id, client.id]],
  ];
  const event = { event_category: 'transaction', event_type: 'purchase' };
  const has = (asked: object) => segment(['event', { ...event, ...asked }], own);
  cases.push(
    [has({ within_days: 30, operator: '_gte', value: 1 }), [client.id]],
    [has({ within_days: 365, operator: '_eq', value: 2 }), [client.id]],
    [has({ within_days: 365, operator: '_eq', value: 0 }), [other.id]],
    [has({ within_days: 2, operator: '_eq', value: 0 }), [other.id, client.id]],
  );
  for (const [id, clientIds] of cases) expect(await members(await id)).toEqual(clientIds);
});

test('events of any category count, also custom ones', async () => {
  const client = await newClient(workspace);
  const event_type = `quiz.${randomUUID()}`;
  const passed = await segment([
    'event',
    { event_category: 'custom', event_type, within_days: 1, operator: '_gte', value: 2 },
  ]);
  const send = () => workspace.post(':ws/custom-events', { client_id: client.id, event_type });
  expectStatus(await send(), 201);
  expect(await members(passed)).toEqual([]);
  expectStatus(await send(), 201);
  expect(await members(passed)).toEqual([client.id]);
});

test('a pass counts by its template and whether it is on a device', async () => {
  const client = await newClient(workspace);
  const post = async (path: string, body: object) =>
    expectStatus(await workspace.post(path, body), 201).body.data;
  const project = await post(':ws/projects', { name: 'App' });
  const template = await post(':ws/pass-templates', { name: 'Card', project_id: project.id });
  const asked = { has_pass: true, pass_template_ids: [template.id] };
  const holders = await segment(['pass', asked]);
  const onDevice = await segment(['pass', { ...asked, installed: true }]);
  const pass = await post(':ws/passes', {
    project_id: project.id,
    pass_template_id: template.id,
    client_id: client.id,
  });
  await becomes(holders, [client.id]);
  expect(await members(onDevice)).toEqual([]);
  const installed = { event_category: 'pass_lifecycle', event_type: 'pass_installed' };
  expectStatus(await workspace.post('/events', { ...installed, pass_id: pass.id }), 200);
  expect(await members(onDevice)).toEqual([client.id]);
  expectStatus(await workspace.del(`/passes/${pass.id}`), 200);
  await becomes(holders, []);
  const unknown = await workspace.post(':ws/segments', {
    name: 'Bad',
    filters: [
      { filter_type: 'pass', filter_config: { ...asked, pass_template_ids: [randomUUID()] } },
    ],
  });
  expect(expectStatus(unknown, 400).body.errors[0].extensions.field).toBe(
    'filters.0.filter_config.pass_template_ids.0',
  );
});

test('a reward for a segment is redeemed by its members, and by no others', async () => {
  const [inside, outside] = [
    await newClient(workspace, { source: 'friend' }),
    await newClient(workspace),
  ];
  const friends = await segment([
    'client_field',
    { field: 'source', operator: '_eq', value: 'friend' },
  ]);
  const body = { name: 'Cake', cost_in_points: 0, visibility_segments: [friends] };
  const reward = expectStatus(await workspace.post(':ws/rewards', body), 200).body.data;
  expect(reward.visibility_segments).toEqual([friends]);
  const redeem = (client: { id: string }) =>
    workspace.post(':ws/rewards/redeem', { reward_id: reward.id, client_id: client.id });
  const [{ extensions }] = expectStatus(await redeem(outside), 400).body.errors;
  expect(extensions).toMatchObject({ code: 'INVALID_PAYLOAD', reason: 'segment_locked' });
  expectStatus(await redeem(inside), 200);
  const stranger = await newWorkspace();
  const foreign = await stranger.post(':ws/rewards', body);
  expect(expectStatus(foreign, 400).body.errors[0].extensions.field).toBe('visibility_segments.0');
  expectStatus(await workspace.del(`/segments/${friends}`), 200);
  expect(expectStatus(await redeem(inside), 400).body.errors[0].extensions.reason).toBe(
    'segment_locked',
  );
});

test('a rule for a segment is fired by its members, and by no others', async () => {
  const [inside, outside] = [
    await newClient(workspace, { source: 'ruled' }),
    await newClient(workspace),
  ];
  const ruled = await segment([
    'client_field',
    { field: 'source', operator: '_eq', value: 'ruled' },
  ]);
  const event_type = `visit_${randomUUID()}`;
  const rule = {
    name: 'Visit',
    trigger_type: 'custom_event',
    trigger_config: { event_types: [event_type] },
    conditions: [{ type: 'segment', segment_id: ruled }],
    effects: [{ type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 5 }],
  };
  const { id } = expectStatus(await workspace.post(':ws/automations', rule), 201).body.data;
  for (const client of [outside, inside]) {
    const event = { client_id: client.id, event_type };
    expectStatus(await workspace.post(':ws/custom-events', event), 201);
  }
  const fired = async () =>
    (await workspace.get(`:ws/automations/executions?automation_rule_id=${id}`)).body.data;
  await until(async () => (await fired()).length > 0);
  expect((await fired()).map((one: { client_id: string }) => one.client_id)).toEqual([inside.id]);
});
