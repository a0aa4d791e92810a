import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { onOneDay } from './support/days';
import {
  expectStatus,
  newClient,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { newPass } from './support/passes';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  await Promise.all([workspace, stranger].map((owner) => newWalletType(owner, { code: 'points' })));
});

const EARN = { type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 5 };
const rule = (overrides: object = {}) => ({
  name: 'Welcome',
  trigger_type: 'custom_event',
  trigger_config: { event_types: [`quiz_${randomUUID()}`] },
  effects: [EARN],
  ...overrides,
});
const created = async (overrides: object = {}, owner = workspace) =>
  expectStatus(await owner.post(':ws/automations', rule(overrides)), 201).body.data;

describe('rules', () => {
  test('are created with their defaults and read back', async () => {
    // It would be fired by every event of the other tests.
    const workspace = await newWorkspace();
    await newWalletType(workspace, { code: 'points' });
    const body = { name: 'Quiz', trigger_type: 'custom_event', effects: [EARN] };
    const made = expectStatus(await workspace.post(':ws/automations', body), 201).body.data;
    expect(made).toEqual({
      id: expect.any(String),
      workspace_id: workspace.workspaceId,
      ...body,
      description: null,
      active: true,
      priority: 0,
      trigger_config: {},
      conditions: [],
      limits: {},
      activity_window: {},
      expiry_override: null,
      date_created: expect.stringMatching(/Z$/),
      date_updated: expect.stringMatching(/Z$/),
      usage: { executions: 0, points: 0, remaining_budget: null, remaining_executions: null },
    });
    const read = await workspace.get(`:ws/automations/${made.id}`);
    expect(expectStatus(read, 200).body.data).toEqual(made);
  });

  test('are listed by priority, then id, and by whether they are active', async () => {
    const owner = await newWorkspace();
    await newWalletType(owner, { code: 'points' });
    const late = await created({ priority: 9 }, owner);
    const [one, two] = [await created({}, owner), await created({ active: false }, owner)];
    const ids = async (query: string) =>
      (await owner.get(`:ws/automations${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([...[one.id, two.id].sort(), late.id]);
    expect(await ids('?active=false')).toEqual([two.id]);
    expect(await ids('?active=true')).toEqual([one.id, late.id]);
    expectStatus(await owner.get(':ws/automations?active=perhaps'), 400);
  });

  test('change by PUT and PATCH alike: fields left out stay', async () => {
    const made = await created({ description: 'first' });
    const path = `:ws/automations/${made.id}`;
    const put = expectStatus(await workspace.put(path, { priority: 3 }), 200).body.data;
    expect(put).toMatchObject({ priority: 3, description: 'first', effects: [EARN] });
    const patched = await workspace.patch(path, { description: null, active: false });
    expect(expectStatus(patched, 200).body.data).toMatchObject({
      priority: 3,
      description: null,
      active: false,
    });
    expectRefusal(await workspace.patch(path, { effects: [] }), 400, 'INVALID_PAYLOAD', 'effects');
  });

  test('are gone after DELETE', async () => {
    const { id } = await created();
    const reply = expectStatus(await workspace.del(`:ws/automations/${id}`), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expectRefusal(await workspace.get(`:ws/automations/${id}`), 404, 'RECORD_NOT_FOUND');
    expectRefusal(await workspace.del(`:ws/automations/${id}`), 404, 'RECORD_NOT_FOUND');
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ description: 'x'.repeat(2_001) }, 'description'],
    [{ priority: -1 }, 'priority'],
    [{ trigger_type: 'moon_phase' }, 'trigger_type'],
    [{ effects: [] }, 'effects'],
    [{ effects: undefined }, 'effects'],
    [{ effects: [{ ...EARN, amount: 0 }] }, 'effects.0.amount'],
    [{ effects: [{ ...EARN, amount: undefined }] }, 'effects.0.amount'],
    [{ effects: [{ type: 'dance' }] }, 'effects.0.type'],
    [{ effects: [{ ...EARN, wallet_type_code: 'gold' }] }, 'effects.0.wallet_type_code'],
    [{ effects: [{ type: 'give_reward', reward_id: randomUUID() }] }, 'effects.0.reward_id'],
    [{ effects: [{ type: 'call_webhook', webhook_id: randomUUID() }] }, 'effects.0.webhook_id'],
    [{ effects: [{ type: 'assign_tier', tier_id: randomUUID() }] }, 'effects.0.tier_id'],
    [
      { effects: [{ type: 'switch_template', template_id: randomUUID() }] },
      'effects.0.template_id',
    ],
    [{ conditions: [{ type: 'segment', segment_id: randomUUID() }] }, 'conditions.0.segment_id'],
    [{ conditions: [{ type: 'tier', tier_id: randomUUID() }] }, 'conditions.0.tier_id'],
    [{ conditions: [{ type: 'expression', expression: 'foo > 1' }] }, 'conditions.0.expression'],
    [{ conditions: [{ type: 'expression', expression: '1 + 1' }] }, 'conditions.0.expression'],
    [{ trigger_type: 'time_based', trigger_config: {} }, 'trigger_config.schedule'],
    [
      { trigger_type: 'time_based', trigger_config: { schedule: { cron: 'every day' } } },
      'trigger_config.schedule.cron',
    ],
    [
      {
        trigger_type: 'time_based',
        trigger_config: { schedule: { cron: '0 9 * * *', timezone: 'Mars/Olympus' } },
      },
      'trigger_config.schedule.timezone',
    ],
    [
      { trigger_type: 'transaction', trigger_config: { event_types: ['buy'] } },
      'trigger_config.event_types.0',
    ],
    [
      { trigger_type: 'transaction', trigger_config: { schedule: { cron: '* * * * *' } } },
      'trigger_config.schedule',
    ],
    [
      { trigger_type: 'transaction', trigger_config: { min_amount: -1 } },
      'trigger_config.min_amount',
    ],
    [{ trigger_config: { event_types: [] } }, 'trigger_config.event_types'],
    [{ trigger_config: { event_types: [' '] } }, 'trigger_config.event_types.0'],
    [
      { trigger_type: 'field_change', trigger_config: { field_names: ['custom_fields.city'] } },
      'trigger_config.field_names.0',
    ],
    [
      { effects: [{ type: 'update_client_field', field_name: 'status', value_expression: '"x"' }] },
      'effects.0.field_name',
    ],
    [
      {
        effects: [
          { type: 'update_client_field', field_name: 'custom_fields.x', value_expression: '1' },
        ],
      },
      'effects.0.field_name',
    ],
    [{ limits: { total_budget: -1 } }, 'limits.total_budget'],
    [{ name: '   ' }, 'name'],
    [
      { activity_window: { start_date: '2026-02-01T00:00:00Z', end_date: '2026-01-01T00:00:00Z' } },
      'activity_window.end_date',
    ],
  ])('with %j are refused, naming %s', async (overrides, field) => {
    expectRefusal(
      await workspace.post(':ws/automations', rule(overrides)),
      400,
      'INVALID_PAYLOAD',
      field,
    );
  });

  test('are their workspace own', async () => {
    const { id } = await created();
    for (const path of [`:ws/automations/${id}`]) {
      expectRefusal(await stranger.get(path), 404, 'RECORD_NOT_FOUND');
      expectRefusal(await stranger.patch(path, { name: 'x' }), 404, 'RECORD_NOT_FOUND');
      expectRefusal(await stranger.del(path), 404, 'RECORD_NOT_FOUND');
    }
    const reward = { name: 'Coffee', cost_in_points: 1 };
    const theirs = (await stranger.post(':ws/rewards', reward)).body.data;
    const effects = [{ type: 'give_reward', reward_id: theirs.id }];
    expectStatus(await workspace.post(':ws/automations', rule({ effects })), 400);
    const member = await newMember(workspace);
    expectStatus(await member.get(`:ws/automations/${id}`), 200);
  });
});

describe('formulas', () => {
  const verdict = async (expression: string, expected_type?: string) =>
    expectStatus(
      await workspace.post(':ws/automations/validate-formula', { expression, expected_type }),
      200,
    ).body.data;

  test('are checked, with the place of what is wrong', async () => {
    expect(await verdict('round(event.amount * 1.5)')).toEqual({
      valid: true,
      returnType: 'number',
    });
    expect(await verdict('wallet.points.active > 10', 'boolean')).toEqual({
      valid: true,
      returnType: 'boolean',
    });
    expect(await verdict('client.first_name', 'number')).toMatchObject({ valid: false });
    expect(await verdict('1 + nothing')).toEqual({
      valid: false,
      error: { message: expect.stringContaining('nothing'), position: 4 },
    });
    expectStatus(await workspace.post(':ws/automations/validate-formula', {}), 400);
    const long = { expression: '1'.repeat(2_001) };
    expectStatus(await workspace.post(':ws/automations/validate-formula', long), 400);
  });

  test('find their words in the metadata', async () => {
    const { data } = expectStatus(await workspace.get(':ws/automations/metadata'), 200).body;
    expect(data.event_types_by_category).toMatchObject({
      transaction: ['purchase', 'refund'],
      referral: expect.arrayContaining(['referral_completed']),
      loyalty: expect.arrayContaining(['tier_promoted', 'points_earned']),
    });
    const triggers = data.trigger_types.map(({ value }: { value: string }) => value);
    expect(triggers).toEqual(expect.arrayContaining(['transaction', 'time_based', 'referral']));
    const names = data.expression_variables.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['client.age', 'event.amount', 'now']));
    expect(data.expression_functions).toContainEqual(expect.objectContaining({ name: 'clamp' }));
  });
});

describe('a rule that is fired', () => {
  const send = (clientId: string, event_type: string, more: object = {}) =>
    workspace.post(':ws/custom-events', { client_id: clientId, event_type, ...more });
  const executions = async (query: string, owner = workspace) =>
    expectStatus(await owner.get(`:ws/automations/executions?${query}`), 200).body;
  const executed = async (clientId: string, count = 1) => {
    await until(async () => (await executions(`client_id=${clientId}`)).data.length >= count);
    return (await executions(`client_id=${clientId}`)).data;
  };
  const balance = async (clientId: string) =>
    (await workspace.get(`:ws/clients/${clientId}/wallets`)).body.data[0].wallet.active_balance;
  const typeOf = (made: { trigger_config: { event_types: string[] } }) =>
    made.trigger_config.event_types[0]!;

  test.each(['order.placed', 'visit.2.of a #day*', 'café ☕ '.repeat(14).trim()])(
    'hears of an own event that is called %s',
    async (name) => {
      const own = `${name.slice(0, 60)}${randomUUID()}`;
      await created({ trigger_config: { event_types: [own] } });
      const { id } = await newClient(workspace);
      expectStatus(await send(id, own), 201);
      expect(await executed(id)).toMatchObject([{ status: 'success', points_awarded: 5 }]);
    },
  );

  test('awards points, once per event, and keeps a record', async () => {
    const made = await created();
    const { id } = await newClient(workspace);
    const event = expectStatus(await send(id, typeOf(made)), 201).body.data;
    const [execution] = await executed(id);
    expect(execution).toEqual({
      id: expect.any(String),
      automation_rule_id: made.id,
      client_id: id,
      workspace_id: workspace.workspaceId,
      trigger_event_id: event.id,
      effects_applied: [
        {
          type: 'earn_points',
          status: 'applied',
          points: 5,
          wallet_type_code: 'points',
          points_ledger_id: expect.any(String),
        },
      ],
      points_awarded: 5,
      status: 'success',
      error_message: null,
      executed_at: expect.stringMatching(/Z$/),
      chain: [],
      duration_ms: expect.any(Number),
    });
    expect(await balance(id)).toBe(5);
    const { meta } = await executions(`automation_rule_id=${made.id}&status=success`);
    expect(meta).toEqual({ total_count: 1, returned_count: 1, offset: 0 });
    expect((await executions(`automation_rule_id=${made.id}&status=failed`)).data).toEqual([]);
    for (const [field, known] of Object.entries({ client_id: id, automation_rule_id: made.id })) {
      const query = `:ws/automations/executions?${field}=`;
      expectRefusal(await stranger.get(`${query}${known}`), 400, 'INVALID_PAYLOAD', field);
      expectRefusal(await workspace.get(`${query}${randomUUID()}`), 400, 'INVALID_PAYLOAD', field);
    }
    const { usage } = (await workspace.get(`:ws/automations/${made.id}`)).body.data;
    expect(usage).toMatchObject({ executions: 1, points: 5 });
    const ledger = await workspace.get(`:ws/loyalty/points/ledger?client_id=${id}`);
    expect(JSON.stringify(ledger.body)).toContain('"description":"Welcome"');
  });

  test('asks its conditions, and leaves no trace where one does not hold', async () => {
    const trigger_config = { event_types: [`visit_${randomUUID()}`] };
    const holds = await created({
      trigger_config,
      priority: 1,
      conditions: [
        { type: 'expression', expression: 'event.metadata.size > 2 && client.first_name == "Ada"' },
        { type: 'wallet_balance', wallet_type_code: 'points', operator: 'lt', value: 100 },
        { type: 'client_metric', metric: 'transaction_count', operator: 'eq', value: 0 },
      ],
      effects: [
        {
          type: 'earn_points',
          wallet_type_code: 'points',
          amount_type: 'expression',
          amount_expression: 'event.metadata.size * 2.5',
        },
      ],
    });
    await created({
      trigger_config,
      conditions: [{ type: 'expression', expression: 'event.metadata.size > 10' }],
    });
    const { id } = await newClient(workspace, { first_name: 'Ada' });
    await send(id, trigger_config.event_types[0]!, { metadata: { size: 3 } });
    const found = await executed(id);
    expect(found).toMatchObject([{ automation_rule_id: holds.id, points_awarded: 7.5 }]);
  });

  test('fails visibly when a formula does, and does nothing else', async () => {
    const made = await created({
      effects: [
        {
          type: 'earn_points',
          wallet_type_code: 'points',
          amount_type: 'expression',
          amount_expression: 'event.metadata.missing * 2',
        },
        EARN,
      ],
    });
    const { id } = await newClient(workspace);
    await send(id, typeOf(made));
    expect(await executed(id)).toMatchObject([
      {
        status: 'failed',
        error_message: expect.stringContaining('did not give a number'),
        points_awarded: 0,
        effects_applied: [],
      },
    ]);
    expect(await balance(id)).toBe(0);
  });

  test('stops at its limits, whatever comes at once', async () => {
    const made = await created({ limits: { total_budget: 12, per_client_budget: 10 } });
    const clients = await Promise.all(Array.from({ length: 4 }, () => newClient(workspace)));
    await Promise.all(clients.map(({ id }) => send(id, typeOf(made))));
    const query = `automation_rule_id=${made.id}`;
    await until(async () => (await executions(query)).data.length === 4);
    const { data } = await executions(query);
    const statuses = data.map(({ status }: { status: string }) => status).sort();
    expect(statuses).toEqual(['skipped', 'skipped', 'success', 'success']);
    expect(data.find(({ status }: { status: string }) => status === 'skipped')).toMatchObject({
      error_message: expect.stringContaining('total_budget'),
      points_awarded: 0,
    });
  });

  test('runs so often per client as it may', () =>
    onOneDay(async () => {
      const made = await created({
        limits: { executions_per_client: { interval: 'day', value: 2 } },
      });
      const { id } = await newClient(workspace);
      for (let count = 1; count <= 3; count += 1) {
        await send(id, typeOf(made));
        await executed(id, count);
      }
      const statuses = (await executed(id, 3)).map(({ status }: { status: string }) => status);
      expect(statuses).toEqual(['skipped', 'success', 'success']);
      expect(await balance(id)).toBe(10);
    }));

  test('counts the points of the wallet that a condition names, whichever it is, over a period', async () => {
    await newWalletType(workspace, { code: 'stamps', is_default: false });
    const stamps = { metric: 'points_earned', wallet_type_code: 'stamps', period_days: 1 };
    const made = await created({
      conditions: [{ type: 'client_metric', ...stamps, operator: 'lt', value: 2 }],
      effects: [{ ...EARN, wallet_type_code: 'stamps', amount: 1 }],
    });
    const control = await created({ trigger_config: made.trigger_config, priority: 9 });
    const { id } = await newClient(workspace);
    for (let count = 1; count <= 4; count += 1) {
      await send(id, typeOf(made));
      await executed(id, count + Math.min(count, 2));
    }
    const found = await executed(id, 6);
    const of = ({ id: rule_id }: { id: string }) =>
      found.filter(
        ({ automation_rule_id }: { automation_rule_id: string }) => automation_rule_id === rule_id,
      );
    expect([of(made), of(control)].map(({ length }) => length)).toEqual([2, 4]);
    expect(await balance(id)).toBe(4 * 5);
  });

  test('follows another, but never itself', async () => {
    const first = await created();
    const chained = await created({
      trigger_type: 'loyalty',
      trigger_config: { event_types: ['points_earned'] },
      conditions: [
        { type: 'expression', expression: 'event.metadata.source_type == "automation"' },
      ],
    });
    const { id } = await newClient(workspace);
    await send(id, typeOf(first));
    const found = await executed(id, 2);
    await workspace.patch(`:ws/automations/${chained.id}`, { active: false });
    const own = found.filter(
      ({ automation_rule_id }: { automation_rule_id: string }) => automation_rule_id === chained.id,
    );
    expect(own).toMatchObject([{ chain: [first.id], status: 'success' }]);
    expect(await balance(id)).toBe(10);
  });

  test('does all its effects in order, and stops at the first that is refused', async () => {
    const hook = { url: 'http://127.0.0.1:9/', event_types: ['reward_used'] };
    const webhook = expectStatus(await workspace.post(':ws/webhooks', hook), 201).body.data;
    const made = await created({
      effects: [
        EARN,
        {
          type: 'update_client_field',
          field_name: 'quiz_level',
          value_expression: 'tier.level + 7',
        },
        {
          type: 'update_client_field',
          field_name: 'first_name',
          value_expression: '"Quiz master"',
        },
        { type: 'send_push', title: 'Well done', body: 'You know a lot' },
        { type: 'call_webhook', webhook_id: webhook.id },
        { type: 'deduct_points', wallet_type_code: 'points', amount: 2 },
        { type: 'deduct_points', wallet_type_code: 'points', amount: 1_000 },
        EARN,
      ],
    });
    const { id } = await newClient(workspace);
    await newPass(workspace, id);
    await send(id, typeOf(made));
    const [execution] = await executed(id);
    expect(execution.effects_applied.map(({ status }: { status: string }) => status)).toEqual([
      'applied',
      'applied',
      'applied',
      'applied',
      'applied',
      'applied',
      'failed',
      'not_run',
    ]);
    expect(execution).toMatchObject({ status: 'failed', points_awarded: 5 });
    expect(await balance(id)).toBe(3);
    const client = (await workspace.get(`:ws/clients/${id}`)).body.data;
    expect(client).toMatchObject({
      first_name: 'Quiz master',
      custom_fields: { quiz_level: 7 },
    });
    await until(async () => {
      const { body } = await workspace.get(`:ws/webhooks/${webhook.id}/deliveries`);
      return body.data.some(
        ({ event_type }: { event_type: string }) => event_type === 'automation.webhook',
      );
    });
  });

  test('looks at changes of fields, by direction', async () => {
    const made = await created({
      trigger_type: 'field_change',
      trigger_config: { field_names: ['last_name'], change_direction: 'to_value', value: 'Byron' },
    });
    const { id } = await newClient(workspace, { last_name: 'King' });
    await workspace.patch(`:ws/clients/${id}`, { last_name: 'Lovelace' });
    await workspace.patch(`:ws/clients/${id}`, { last_name: 'Byron' });
    expect(await executed(id)).toMatchObject([{ automation_rule_id: made.id }]);
    expect(await balance(id)).toBe(5);
  });

  test('keeps out of what lies outside its window, and sleeps while inactive', async () => {
    const type = `late_${randomUUID()}`;
    const trigger_config = { event_types: [type] };
    const sentinel = await created({ trigger_config, priority: 9 });
    await created({ trigger_config, activity_window: { end_date: '2020-01-01T00:00:00Z' } });
    await created({ trigger_config, active: false });
    const { id } = await newClient(workspace);
    await send(id, type);
    expect(await executed(id)).toMatchObject([{ automation_rule_id: sentinel.id }]);
  });
});

describe('POST :ws/automations/simulate', () => {
  test('says what would happen, and does nothing', async () => {
    const owner = await newWorkspace();
    await newWalletType(owner, { code: 'points' });
    const trigger_config = { min_amount: 10 };
    const dear = await created(
      { trigger_type: 'transaction', trigger_config: { min_amount: 12.71 } },
      owner,
    );
    const base = { trigger_type: 'transaction', trigger_config };
    const effects = [
      {
        type: 'earn_points',
        wallet_type_code: 'points',
        amount_type: 'expression',
        amount_expression: 'floor(event.amount)',
      },
    ];
    const match = await created({ ...base, name: 'A point per euro', effects }, owner);
    const window = await created(
      { ...base, activity_window: { end_date: '2020-01-01T00:00:00Z' } },
      owner,
    );
    const mismatch = await created({ trigger_type: 'referral', trigger_config: {} }, owner);
    const conditions = [{ type: 'expression', expression: 'client.age > 18' }];
    const condition = await created({ ...base, conditions }, owner);
    const limit = await created({ ...base, limits: { total_budget: 0 } }, owner);
    const off = await created({ ...base, active: false }, owner);
    const { id } = await newClient(owner);
    const event = { trigger_type: 'transaction', event_type: 'purchase', amount: 12.7 };
    const ask = async (more: object = {}) =>
      expectStatus(
        await owner.post(':ws/automations/simulate', { client_id: id, event, ...more }),
        200,
      ).body.data;
    const answer = await ask();
    expect(answer.matched).toEqual([
      {
        rule_id: match.id,
        name: 'A point per euro',
        priority: 0,
        effects: [
          {
            type: 'earn_points',
            summary: 'earn 12 points',
            points: 12,
            wallet_type_code: 'points',
          },
        ],
        points: 12,
        conditions: [],
      },
    ]);
    expect(answer.total_points).toBe(12);
    const reasons = Object.fromEntries(
      answer.skipped.map(({ rule_id, reason }: { rule_id: string; reason: string }) => [
        rule_id,
        reason,
      ]),
    );
    expect(reasons).toEqual({
      [window.id]: 'outside_window',
      [mismatch.id]: 'trigger_mismatch',
      [condition.id]: 'condition_failed',
      [limit.id]: 'limit_reached',
      [off.id]: 'inactive',
      [dear.id]: 'trigger_mismatch',
    });
    expect(
      answer.skipped.find(({ rule_id }: { rule_id: string }) => rule_id === dear.id).detail,
    ).toBe('min_amount');
    const named = await ask({ rule_ids: [off.id] });
    expect(named.skipped).toMatchObject([{ rule_id: off.id, reason: 'inactive' }]);
    expect((await owner.get(':ws/automations/executions')).body.data).toEqual([]);
    const refused = async (body: object, field: string) =>
      expectRefusal(
        await owner.post(':ws/automations/simulate', { client_id: id, event, ...body }),
        400,
        'INVALID_PAYLOAD',
        field,
      );
    await refused({ client_id: randomUUID() }, 'client_id');
    await refused({ rule_ids: [off.id, randomUUID()] }, 'rule_ids.1');
  });
});

test("the workspace's time zone is what formulas, limits and schedules go by", async () => {
  const owner = await newWorkspace();
  await newWalletType(owner, { code: 'points' });
  const hourIn = (zone: string) =>
    Number(
      new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(),
    );
  const zone = 'Asia/Tokyo';
  expectStatus(await owner.patch(':ws/settings', { timezone: zone }), 200);
  const [before, after] = [hourIn(zone), (hourIn(zone) + 1) % 24];
  const conditions = [{ type: 'expression', expression: `hour(now) in [${before}, ${after}]` }];
  const inZone = await created(
    { trigger_type: 'transaction', trigger_config: {}, conditions },
    owner,
  );
  const client = await newClient(owner);
  const event = { trigger_type: 'transaction', event_type: 'purchase', amount: 5 };
  const asked = await owner.post(':ws/automations/simulate', { client_id: client.id, event });
  expect(expectStatus(asked, 200).body.data.matched).toMatchObject([{ rule_id: inZone.id }]);
  expectStatus(await owner.patch(':ws/settings', { timezone: 'America/Los_Angeles' }), 200);
  const again = await owner.post(':ws/automations/simulate', { client_id: client.id, event });
  expect(expectStatus(again, 200).body.data.skipped).toMatchObject([
    { rule_id: inZone.id, reason: 'condition_failed' },
  ]);
});

test('a rule that awards more than there can be fails alone, with its reason, and simulate says so', async () => {
  const owner = await newWorkspace();
  await newWalletType(owner, { code: 'points' });
  const base = { trigger_type: 'transaction', trigger_config: {} };
  const effects = [
    {
      type: 'earn_points',
      wallet_type_code: 'points',
      amount_type: 'expression',
      amount_expression: 'event.amount * 100000000.0',
    },
  ];
  const broken = await created({ ...base, priority: 1, effects }, owner);
  const sound = await created({ ...base, priority: 2 }, owner);
  const client = await newClient(owner);
  const pass_id = await newPass(owner, client.id);
  const event = { trigger_type: 'transaction', event_type: 'purchase', amount: 1e8 };
  const asked = await owner.post(':ws/automations/simulate', { client_id: client.id, event });
  const { matched, skipped } = expectStatus(asked, 200).body.data;
  expect(matched.map(({ rule_id }: { rule_id: string }) => rule_id)).toEqual([sound.id]);
  expect(skipped).toMatchObject([
    { rule_id: broken.id, detail: expect.stringContaining('no more than') },
  ]);
  const purchase = {
    event_category: 'transaction',
    event_type: 'purchase',
    amount: 1e8,
    currency: 'EUR',
  };
  expectStatus(await owner.post('/events', { pass_id, ...purchase }), 200);
  const executionsOf = async ({ id }: { id: string }) =>
    (await owner.get(`:ws/automations/executions?automation_rule_id=${id}`)).body.data;
  await until(async () => (await executionsOf(sound)).length === 1);
  expect(await executionsOf(broken)).toMatchObject([
    { status: 'failed', error_message: expect.stringContaining('no more than') },
  ]);
});

describe('backtests', () => {
  test('replay what happened, without doing it again', async () => {
    const owner = await newWorkspace();
    await newWalletType(owner, { code: 'points' });
    const { id } = await newClient(owner);
    const event = { client_id: id, event_type: 'visited_shop', metadata: { guests: 2 } };
    for (const day of ['2026-01-05', '2026-01-05', '2026-01-07'])
      expectStatus(
        await owner.post(':ws/custom-events', { ...event, event_timestamp: `${day}T10:00:00Z` }),
        201,
      );
    const asked = rule({
      trigger_config: { event_types: ['visited_shop'] },
      limits: { total_budget: 10 },
    });
    const period = { from_date: '2026-01-01', to_date: '2026-01-31' };
    const path = ':ws/automations/backtest';
    const reply = await owner.post(path, { rule: asked, ...period });
    const { id: jobId } = expectStatus(reply, 202).body.data;
    const job = async () =>
      expectStatus(await owner.get(`:ws/automations/backtests/${jobId}`), 200).body.data;
    await until(async () => (await job()).status === 'completed');
    expect(await job()).toMatchObject({
      progress: 1,
      events_replayed: 3,
      matches: 2,
      clients: 1,
      points: 10,
      approximations: [],
      by_day: [{ date: '2026-01-05', matches: 2, points: 10 }],
      sample: [{ client_id: id, points: 5 }, { client_id: id }],
    });
    expectStatus(await stranger.get(`:ws/automations/backtests/${jobId}`), 404);
    const refused = async (body: object, field: string) =>
      expectRefusal(await owner.post(path, { ...body, ...period }), 400, 'INVALID_PAYLOAD', field);
    await refused({}, 'rule');
    await refused({ rule: asked, rule_id: randomUUID() }, 'rule');
    await refused({ rule_id: randomUUID() }, 'rule_id');
    await refused({ rule: { ...asked, effects: [] } }, 'rule.effects');
    const effects = [{ ...EARN, wallet_type_code: 'gold' }];
    await refused({ rule: { ...asked, effects } }, 'rule.effects.0.wallet_type_code');
    expect((await owner.get(':ws/automations')).body.data).toEqual([]);
  });
});
