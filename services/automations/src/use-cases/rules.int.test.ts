import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import { underOneKey, workOff } from '@laurel/testing';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { deleteRule } from './delete-rule';
import { duplicateRule } from './duplicate-rule';
import { getRule } from './get-rule';
import { listExecutions } from './list-executions';
import { listRules } from './list-rules';
import { openRuns } from './open-runs';
import { planOpenedWorkspace, replanSchedules } from './plan-schedules';
import { simulate } from './simulate';
import { updateRule } from './update-rule';
import { runReader, runWorker } from './work-run';

let base: Harness;
let other: Deps;
let harness: Harness;
beforeAll(async () => {
  base = await Harness.open();
});
beforeEach(async () => {
  harness = base.inNewWorkspace();
  harness.clock.set('2026-01-15T10:00:00.000Z');
  other = harness.depsOver(base.store.connection);
});
afterAll(() => base.close());

const earn = (amount: number) => ({
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'fixed',
  amount,
});
const when = (expression: string) => [{ type: 'expression', expression }];
/** Neighbours that take any change of a client, and the changes that they were asked for. */
const writtenDown = () => {
  const written: object[] = [];
  const { clients, ...others } = harness.neighbours();
  const deps = harness.depsOver(base.store.connection, {
    ...others,
    clients: {
      ...clients,
      UpdateClient: async (request) => {
        written.push(request);
        return harness.people.get(request.id)!;
      },
    },
  });
  return { deps, written };
};
const statuses = async (clientId: string) =>
  (await harness.executions({ clientId })).map(({ status }) => status).reverse();
const change = (id: string, fields: api.RuleFields) =>
  updateRule(harness.deps, { workspace_id: harness.workspaceId, id, fields });
const read = (id: string) => getRule(harness.deps, { workspace_id: harness.workspaceId, id });
const inZone = (timeZone: string) => {
  harness.timeZone = timeZone;
  return replanSchedules(harness.deps, harness.workspaceId);
};
const runSchedules = async () => {
  await openRuns(harness.deps);
  await workOff(runReader(harness.deps));
  await workOff(runWorker(harness.deps));
};

test('the repeat of a rule is answered as the first time, though what it names is gone by then', async () => {
  const { rewards, ...others } = harness.neighbours();
  const [reward_id, owned] = [newId(), new Set<string>()];
  owned.add(reward_id);
  const GetRewards: Deps['rewards']['GetRewards'] = async ({ ids }) => ({
    rewards: ids.filter((id) => owned.has(id)).map((id) => ({ id }) as never),
  });
  const neighbours = { ...others, rewards: { ...rewards, GetRewards } };
  const deps = harness.depsOver(base.store.connection, neighbours);
  const make = () =>
    harness.newRule({ active: false, effects: [{ type: 'give_reward', reward_id }] }, deps);
  const making = underOneKey(make);
  const first = await making();
  owned.clear();
  expect(await making()).toEqual(first);
  await expect(make()).rejects.toMatchObject({ httpStatus: 400 });
});

test('the repeat of a copy is answered as the first time, though its original is gone by then', async () => {
  const { id } = await harness.newRule({});
  const row = { workspace_id: harness.workspaceId, id };
  const copy = underOneKey(() => duplicateRule(harness.deps, row));
  const first = await copy();
  await deleteRule(harness.deps, row);
  expect(await copy()).toEqual(first);
  await expect(duplicateRule(harness.deps, row)).rejects.toMatchObject({ httpStatus: 404 });
});

describe("the workspace's time zone", () => {
  test.each([
    ['UTC', 7, 5, '11-22'],
    ['America/Los_Angeles', 6, 21, '11-21'],
  ])(
    'is what weekday, hour, isBirthday and age go by: %s',
    async (zone, weekday, hour, birthday) => {
      harness.clock.set('2026-11-22T05:25:00.000Z');
      harness.timeZone = zone;
      await harness.newRule({
        conditions: when(
          `weekday(now) == ${weekday} && hour(now) == ${hour} && isBirthday(client.birth_date)`,
        ),
      });
      await harness.newRule({ conditions: when('client.age == 30'), effects: [earn(100)] });
      const [born, not] = ['11-21', '11-22'].map((day) =>
        harness.newClient({ birth_date: `1996-${day}` }),
      );
      for (const client of [born!, not!]) await harness.fire(harness.happening(client));
      const isBorn = birthday === '11-21';
      expect(harness.balanceOf(born!)).toBe(isBorn ? 105 : 100);
      expect(harness.balanceOf(not!)).toBe(isBorn ? 0 : 105);
    },
  );

  test('begins a new day, week and month for limits at its own midnight', async () => {
    harness.timeZone = 'Europe/Berlin';
    for (const interval of ['day', 'week', 'month'])
      await harness.newRule({
        trigger_config: { event_types: [interval] },
        limits: { executions_per_client: { interval, value: 1 } },
      });
    const client = harness.newClient();
    const fire = async (at: string, eventType: string) => {
      harness.clock.set(at);
      await harness.fire(harness.happening(client, { eventType }));
      return (await statuses(client)).at(-1);
    };
    expect(await fire('2026-01-15T22:59:59.000Z', 'day')).toBe('success');
    expect(await fire('2026-01-15T22:59:59.900Z', 'day')).toBe('skipped');
    expect(await fire('2026-01-15T23:00:00.000Z', 'day')).toBe('success');
    expect(await fire('2026-01-16T22:30:00.000Z', 'day')).toBe('skipped');
    // Sunday evening in Greenwich is Monday in Berlin.
    expect(await fire('2026-01-18T22:30:00.000Z', 'week')).toBe('success');
    expect(await fire('2026-01-18T23:30:00.000Z', 'week')).toBe('success');
    expect(await fire('2026-01-25T22:30:00.000Z', 'week')).toBe('skipped');
    expect(await fire('2026-01-31T22:30:00.000Z', 'month')).toBe('success');
    expect(await fire('2026-01-31T23:30:00.000Z', 'month')).toBe('success');
    expect(await fire('2026-02-28T22:30:00.000Z', 'month')).toBe('skipped');
  });

  test('is what schedules without one of their own go by, from the moment it is changed', async () => {
    const client = harness.newClient();
    const schedule = { cron: '0 9 * * *' };
    await harness.newRule({ trigger_type: 'time_based', trigger_config: { schedule } });
    const own = { schedule: { ...schedule, timezone: 'Asia/Tokyo' } };
    await harness.newRule({
      trigger_type: 'time_based',
      trigger_config: own,
      conditions: when('hour(now) == 9 && client.age == 30'),
      effects: [earn(100)],
    });
    harness.people.get(client)!.birth_date = '1996-01-16';
    await inZone('America/Los_Angeles');
    const balanceAt = async (moment: string) => {
      harness.clock.set(moment);
      await runSchedules();
      return harness.balanceOf(client);
    };
    expect(await balanceAt('2026-01-15T16:59:00.000Z')).toBe(0);
    expect(await balanceAt('2026-01-15T17:00:00.000Z')).toBe(5);
    // In Tokyo it is nine, and the birthday; the workspace is at the evening before.
    expect(await balanceAt('2026-01-16T00:00:00.000Z')).toBe(105);
    expect(await balanceAt('2026-01-16T09:00:01.000Z')).toBe(105);
    expect(await balanceAt('2026-01-16T17:00:00.000Z')).toBe(110);
  });

  test('is the last word also for a rule that was written while it changed', async () => {
    const { identity, ...others } = harness.neighbours();
    let asked = 0;
    const deps = harness.depsOver(base.store.connection, {
      ...others,
      identity: {
        // The zone changes, and all schedules are planned anew, while the rule is being written.
        GetWorkspace: async (request) => {
          const before = await identity.GetWorkspace(request);
          asked += 1;
          if (asked === 1) await inZone('America/Los_Angeles');
          return before;
        },
      },
    });
    const schedule = { cron: '0 9 * * *' };
    const { id } = await harness.newRule(
      { trigger_type: 'time_based', trigger_config: { schedule } },
      deps,
    );
    const stored = await harness.deps.rules.find(harness.workspaceId, id);
    expect(stored!.plan).toEqual({
      dueAt: new Date('2026-01-15T17:00:00.000Z'),
      zone: 'America/Los_Angeles',
    });
  });
});

test('a workspace has a thousand rules at most, copies included, however many are made at once', async () => {
  const { id } = await harness.newRule();
  const rows = base.store.connection.collection<{ _id: string }>('rules');
  const { _id, ...row } = (await rows.findOne({ _id: id }))!;
  await rows.insertMany(Array.from({ length: 998 }, () => ({ ...row, _id: newId() })));
  const full = { httpStatus: 409, code: 'CONFLICT' };
  const replicas = [harness.deps, await harness.anotherInstance()];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 16 }, (_, index) => harness.newRule({}, replicas[index % 2])),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refused).toEqual(Array.from({ length: 15 }, () => 'CONFLICT'));
  const copied = duplicateRule(harness.deps, { workspace_id: harness.workspaceId, id });
  await expect(copied).rejects.toMatchObject(full);
  await deleteRule(harness.deps, { workspace_id: harness.workspaceId, id });
  await harness.newRule();
});

describe('the formulas of a rule', () => {
  const LONG = `'${'a'.repeat(1_990)}' != ''`;
  const DEAR = "event.external_id.matches('^(a+)+$')";
  const conditions = (count: number) => Array.from({ length: count }, () => when(LONG)).flat();
  const earning = (amount_expression: string) => [
    {
      type: 'earn_points',
      wallet_type_code: 'points',
      amount_type: 'expression',
      amount_expression,
    },
  ];
  const draft = (count: number) => ({
    fields: {
      name: 'Rule',
      trigger_type: 'custom_event',
      conditions: conditions(count) as never,
      effects: [earn(1)] as never,
    },
  });
  const refusedAt = (...fields: string[]) => ({
    code: 'INVALID_PAYLOAD',
    problems: fields.map((field) => ({ field })),
  });

  test('are fifty thousand characters long together at most, in drafts and saved, of whatever is changed', async () => {
    const ask = (count: number) =>
      simulate(harness.deps, {
        workspace_id: harness.workspaceId,
        client_id: harness.newClient(),
        event: { trigger_type: 'custom_event', event_type: 'quiz', metadata: {} },
        rule_ids: [],
        rules: { items: [draft(count)] },
      } as never);
    expect((await ask(25)).matched).toHaveLength(1);
    await expect(ask(26)).rejects.toMatchObject(refusedAt('rules.0.conditions.25.expression'));

    const effects = earning('1');
    const making = (count: number) => harness.newRule({ conditions: conditions(count), effects });
    await expect(making(26)).rejects.toMatchObject(refusedAt('effects.0.amount_expression'));
    const { id } = await making(25);
    await expect(change(id, { conditions: conditions(26) })).rejects.toMatchObject(
      refusedAt('conditions.25.expression'),
    );
    await expect(change(id, { effects: earning('1'.padEnd(100)) })).rejects.toMatchObject(
      refusedAt('effects.0.amount_expression'),
    );
    expect(await change(id, { name: 'Otherwise' })).toMatchObject({ name: 'Otherwise' });
    expect((await read(id)).conditions).toHaveLength(25);
  });

  test('are each checked, also where they are too long together', async () => {
    const { id } = await harness.newRule({ effects: earning('1') });
    const changing = change(id, { conditions: [...when(DEAR), ...conditions(26)] });
    await expect(changing).rejects.toMatchObject(
      refusedAt('conditions.0.expression', 'conditions.26.expression'),
    );
    expect((await read(id)).conditions).toEqual([]);
  });

  test('fail their rule alone, on record, where they were saved before they were refused', async () => {
    const broken = await harness.newRule({ priority: 1 });
    await harness.newRule({ priority: 2 });
    const rows = base.store.connection.collection<{ _id: string }>('rules');
    await rows.updateOne({ _id: broken.id }, { $set: { conditions: when(DEAR) } });
    const client = harness.newClient();
    await harness.fire(harness.happening(client, { externalId: 'aaaa!' }));
    expect(harness.balanceOf(client)).toBe(5);
    expect(await harness.executions({ ruleId: broken.id })).toMatchObject([
      { status: 'failed', errorMessage: expect.stringContaining('matches() is not available') },
    ]);
  });
});

test('rules of a workspace that was opened with them are due by its own clock, not by that of where they were made', async () => {
  harness.clock.set('2027-06-01T00:00:00.000Z');
  const trigger_config = { schedule: { cron: '0 9 * * *', timezone: 'Asia/Tokyo' } };
  const { id } = await harness.newRule({ trigger_type: 'time_based', trigger_config });
  harness.clock.set('2026-01-15T10:00:00.000Z');
  for (let times = 0; times < 2; times += 1)
    await planOpenedWorkspace(harness.deps, harness.workspaceId);
  const { plan } = (await harness.deps.rules.find(harness.workspaceId, id))!;
  expect(plan!.dueAt).toEqual(new Date('2026-01-16T00:00:00.000Z'));
});

describe('limits that are set on a running rule count what it has done:', () => {
  test.each([
    ['total_executions', { total_executions: 5 }],
    ['total_budget', { total_budget: 25 }],
    ['per_client_budget', { per_client_budget: 25 }],
    ['lifetime', { executions_per_client: { interval: 'lifetime', value: 5 } }],
    ['day', { executions_per_client: { interval: 'day', value: 5 } }],
    ['hour', { executions_per_client: { interval: 'hour', value: 5 } }],
  ])('%s, also while events come in at once', async (_name, limits) => {
    const rule = await harness.newRule();
    const client = harness.newClient();
    for (let count = 0; count < 4; count += 1) await harness.fire(harness.happening(client));
    const usage = { executions: 4, points: 20 };
    expect((await read(rule.id)).usage).toMatchObject(usage);
    expect((await change(rule.id, { limits })).usage).toMatchObject(usage);
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        harness.fire(harness.happening(client), index % 2 === 0 ? harness.deps : other),
      ),
    );
    expect(harness.balanceOf(client)).toBe(25);
    const found = await harness.executions({ ruleId: rule.id });
    expect(found.filter(({ status }) => status === 'skipped')).toHaveLength(5);
  });

  test('another interval counts what ran before it was asked for', async () => {
    const limits = { executions_per_client: { interval: 'lifetime', value: 1 } };
    const rule = await harness.newRule({ limits });
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    harness.clock.advanceMs(1_000);
    await change(rule.id, { limits: { executions_per_client: { interval: 'day', value: 1 } } });
    await harness.fire(harness.happening(client));
    expect(await statuses(client)).toEqual(['success', 'skipped']);
  });

  test('and what many clients did at once', async () => {
    const rule = await harness.newRule();
    const clients = Array.from({ length: 20 }, () => harness.newClient());
    await Promise.all(
      clients.map((client, index) =>
        harness.fire(harness.happening(client), index % 2 === 0 ? harness.deps : other),
      ),
    );
    expect((await change(rule.id, { limits: { total_executions: 21 } })).usage).toEqual({
      executions: 20,
      points: 100,
      remaining_budget: null,
      remaining_executions: 1,
    });
    await Promise.all(clients.map((client) => harness.fire(harness.happening(client))));
    expect((await read(rule.id)).usage).toMatchObject({ executions: 21, remaining_executions: 0 });
  });
});

describe('what a rule has used up', () => {
  test('stands on the rule wherever it is read, without what failed or was given back', async () => {
    const spend = { type: 'deduct_points', wallet_type_code: 'points', amount: 1 };
    const rule = await harness.newRule({
      effects: [spend, earn(5)],
      limits: { total_budget: 12.5, total_executions: 3 },
    });
    const unused = { executions: 0, points: 0, remaining_budget: 12.5, remaining_executions: 3 };
    expect(rule.usage).toEqual(unused);
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    expect((await read(rule.id)).usage).toEqual(unused);
    harness.entries.set(`gift ${client}`, { clientId: client, amount: 1 });
    await harness.fire(harness.happening(client));
    const used = { executions: 1, points: 5, remaining_budget: 7.5, remaining_executions: 2 };
    expect((await read(rule.id)).usage).toEqual(used);
    const list = await listRules(harness.deps, { workspace_id: harness.workspaceId });
    expect(list.rules.map(({ usage }) => usage)).toEqual([used]);
    expect((await change(rule.id, { name: 'Renamed' })).usage).toEqual(used);
  });
});

describe('an effect', () => {
  const outcome = async (effects: object[], clientId: string) => {
    await harness.newRule({ effects: effects as never });
    await harness.fire(harness.happening(clientId));
    const [execution] = await harness.executions({ clientId });
    return execution!;
  };

  test("that moves points carries the rule's name as their description", async () => {
    const client = harness.newClient();
    const spend = { type: 'deduct_points', wallet_type_code: 'points', amount: 1 };
    await harness.newRule({ name: 'Summer double', effects: [earn(5), spend] });
    await harness.fire(harness.happening(client));
    const described = [...harness.entries.values()].map(({ description }) => description);
    expect(described.slice(-2)).toEqual(['Summer double', 'Summer double']);
  });

  test.each([
    [{ type: 'send_push', title: null, body: 'Hi' }, 'no_pass'],
    [{ type: 'switch_template', template_id: 't' }, 'no_pass'],
    [{ type: 'remove_tier' }, 'not_in_tier'],
  ])('that does nothing is skipped with its reason, not applied: %j', async (effect, reason) => {
    const client = harness.newClient();
    harness.passless.add(client);
    const { status, results, errorMessage } = await outcome([effect, earn(5)], client);
    expect(results).toMatchObject([{ status: 'skipped', reason }, { status: 'applied' }]);
    expect([status, errorMessage]).toEqual(['success', null]);
  });

  test('on a webhook or template that is gone fails the execution, on one that sleeps it is skipped', async () => {
    const { integrations, ...others } = harness.neighbours();
    const depsWith = (GetWebhook: typeof integrations.GetWebhook): Deps => ({
      ...harness.depsOver(base.store.connection, { ...others, integrations: { GetWebhook } }),
      templates: { unknownAmong: async (_workspaceId, ids) => [...ids] },
    });
    const call = { type: 'call_webhook', webhook_id: 'w' };
    const turn = { type: 'switch_template', template_id: 't' };
    const came = async (effect: object, deps: Deps) => {
      const client = harness.newClient();
      const eventType = newId();
      const trigger_config = { event_types: [eventType] };
      await harness.newRule({ effects: [effect] as never, trigger_config });
      await harness.fire(harness.happening(client, { eventType }), deps);
      const [execution] = await harness.executions({ clientId: client });
      return [execution!.status, execution!.errorMessage];
    };
    const gone = depsWith(() => Promise.reject(platform.recordNotFound({ message: 'no webhook' })));
    expect(await came(call, gone)).toEqual(['failed', 'call_webhook: no webhook']);
    expect(await came(turn, gone)).toEqual(['failed', expect.stringContaining('template')]);
    const asleep = depsWith(async () => ({ active: false }) as never);
    expect(await came(call, asleep)).toEqual(['skipped', 'webhook_inactive']);
  });

  test('that may have been done before its process died is not called undone', async () => {
    const client = harness.newClient();
    const { tiers, ...others } = harness.neighbours();
    let isIn = true;
    const deps = harness.depsOver(base.store.connection, {
      ...others,
      tiers: {
        ...tiers,
        GetClientTiers: async () => ({
          placements: [{ client_id: client, tier_id: isIn ? 't' : null, manually_assigned: isIn }],
        }),
        UnassignTier: async () => {
          const fault = isIn ? new Error('the answer was lost') : null;
          isIn = false;
          if (fault) throw fault;
          return {} as never;
        },
      },
    });
    await harness.newRule({ effects: [{ type: 'remove_tier' }] as never });
    const happened = harness.happening(client);
    await expect(harness.fire(happened, deps)).rejects.toThrow('lost');
    await harness.fire(happened, deps);
    expect(await harness.executions({ clientId: client })).toMatchObject([
      { status: 'success', results: [{ type: 'remove_tier', status: 'applied' }] },
    ]);
  });

  test('writes a custom field that the data model does not have: those stay free-form', async () => {
    const { deps, written } = writtenDown();
    const write = { type: 'update_client_field', field_name: 'size', value_expression: '1' };
    const rule = await harness.newRule({ effects: [write] });
    await harness.fire(harness.happening(harness.newClient()), deps);
    expect(await harness.executions({ ruleId: rule.id })).toMatchObject([{ status: 'success' }]);
    expect(written).toMatchObject([{ custom_fields: { size: 1 } }]);
  });

  test('may write the source and the consent of a client', async () => {
    const { deps, written } = writtenDown();
    const set = (field_name: string, value_expression: string) => ({
      type: 'update_client_field',
      field_name,
      value_expression,
    });
    await harness.newRule({ effects: [set('source', '"fair"'), set('marketing_consent', 'true')] });
    await harness.fire(harness.happening(harness.newClient()), deps);
    expect(written).toMatchObject([{ source: 'fair' }, { marketing_consent: true }]);
  });
});

describe('formulas', () => {
  test('know when and how a client agreed, and tell what is not there from what is', async () => {
    await harness.newRule({
      conditions: when(
        'client.marketing_consent_at == null && client.birth_date == null && ' +
          'client.marketing_consent_source == "" && client.date_created <= now',
      ),
    });
    const agreed = { marketing_consent_at: '2026-01-01T00:00:00.000Z' };
    await harness.newRule({
      conditions: when('daysBetween(client.marketing_consent_at, now) == 14'),
      effects: [earn(100)],
    });
    const [blank, known] = [harness.newClient(), harness.newClient(agreed)];
    for (const client of [blank, known]) await harness.fire(harness.happening(client));
    expect([blank, known].map((id) => harness.balanceOf(id))).toEqual([5, 100]);
  });
});

describe('a purchase', () => {
  const buy = (client: string, amount = 10) => {
    const told = { event_category: 'transaction', event_type: 'purchase', amount };
    return harness.record(client, told);
  };

  test('after a month away is welcomed back, the first one and the next day are not', async () => {
    await harness.newRule({
      trigger_type: 'transaction',
      conditions: [
        {
          type: 'client_metric',
          metric: 'days_since_last_transaction',
          operator: 'gte',
          value: 30,
        },
        ...when('metrics.days_since_last_transaction >= 30'),
      ],
    });
    const client = harness.newClient();
    const balances: number[] = [];
    for (const day of ['2026-01-15', '2026-02-14', '2026-02-15', '2026-03-16']) {
      harness.clock.set(`${day}T10:00:00.000Z`);
      await harness.fire(buy(client));
      balances.push(harness.balanceOf(client));
    }
    expect(balances).toEqual([0, 5, 5, 5]);
  });

  test('is the third also when the fourth is on record before rules have seen it', async () => {
    await harness.newRule({
      trigger_type: 'transaction',
      conditions: when('metrics.transaction_count == 3 && metrics.total_spending == 30'),
    });
    const client = harness.newClient();
    const told = [1, 2, 3, 4].map(() => buy(client));
    for (const happened of told) await harness.fire(happened);
    const found = await harness.executions({ clientId: client });
    expect(found.map(({ trigger }) => trigger.eventId)).toEqual([told[2]!.eventId]);
  });
});

describe('a simulation', () => {
  const ask = (clientId: string, more: Partial<api.SimulateRequest> = {}) =>
    simulate(harness.deps, {
      workspace_id: harness.workspaceId,
      client_id: clientId,
      event: { trigger_type: 'transaction', event_type: 'purchase', amount: 10, metadata: {} },
      ...more,
    });
  const transaction = (fields: api.RuleFields) =>
    harness.newRule({ trigger_type: 'transaction', ...fields });

  test('lists inactive rules among the skipped, and names the key that does not fit', async () => {
    const off = await transaction({ active: false });
    const dear = await transaction({ trigger_config: { min_amount: 10.01 } });
    const cheap = await transaction({ trigger_config: { max_amount: 9.99 } });
    const refund = await transaction({ trigger_config: { event_types: ['refund'] } });
    const custom = await harness.newRule();
    const { skipped } = await ask(harness.newClient());
    const reasons = Object.fromEntries(
      skipped.map(({ rule_id, reason, detail }) => [rule_id, [reason, detail]]),
    );
    expect(reasons).toEqual({
      [off.id]: ['inactive', expect.any(String)],
      [dear.id]: ['trigger_mismatch', 'min_amount'],
      [cheap.id]: ['trigger_mismatch', 'max_amount'],
      [refund.id]: ['trigger_mismatch', 'event_types'],
      [custom.id]: ['trigger_mismatch', 'trigger_type'],
    });
  });

  test('of a purchase without an amount says that it is missing, to rules that look at it', async () => {
    const dear = await transaction({ trigger_config: { min_amount: 10 } });
    const perEuro = {
      ...earn(1),
      amount_type: 'expression',
      amount_expression: 'event.amount * 2',
    };
    const scaled = await transaction({ effects: [perEuro] as never });
    const fixed = await transaction({});
    const event = { trigger_type: 'transaction', event_type: 'purchase', metadata: {} };
    const { matched, skipped } = await ask(harness.newClient(), { event });
    expect(matched.map(({ rule_id }) => rule_id)).toEqual([fixed.id]);
    expect(skipped.map(({ rule_id, reason, detail }) => [rule_id, reason, detail])).toEqual([
      [dear.id, 'trigger_mismatch', 'amount'],
      [scaled.id, 'trigger_mismatch', 'amount'],
    ]);
  });

  test('lets each rule see what the ones before it would change, and foretells what happens', async () => {
    harness.fieldNames = ['tried'];
    const tried = { type: 'update_client_field', field_name: 'tried', value_expression: 'true' };
    await transaction({ priority: 1, effects: [earn(7), tried] });
    await transaction({
      priority: 2,
      conditions: [
        ...when('wallet.points.active == 7 && client.custom_fields.tried == true'),
        { type: 'wallet_balance', wallet_type_code: 'points', operator: 'gte', value: 7 },
        { type: 'client_metric', metric: 'transaction_count', operator: 'eq', value: 1 },
      ],
      effects: [earn(2)],
    });
    await transaction({ priority: 0, conditions: when('wallet.points.active > 0') });
    const client = harness.newClient();
    const { matched, total_points } = await ask(client);
    expect(matched.map(({ points }) => points)).toEqual([7, 2]);
    expect(total_points).toBe(9);
    expect(await harness.executions({ clientId: client })).toEqual([]);
  });

  test('says that points of a wallet type that is switched off are refused, and goes on', async () => {
    await transaction({ priority: 1, effects: [{ ...earn(9), wallet_type_code: 'old' }, earn(1)] });
    await transaction({ priority: 2, effects: [earn(2)] });
    const { matched, total_points } = await ask(harness.newClient());
    expect(matched.map(({ effects }) => effects.map(({ summary }) => summary))).toEqual([
      ['earning 9 old would be refused: the wallet type is not active'],
      ['earn 2 points'],
    ]);
    expect(total_points).toBe(2);
  });

  test('says why a reward would not be given, whom it asks once, and promises nothing that stands after it', async () => {
    const [given, refused] = [newId(), newId()];
    const asked: string[] = [];
    const { rewards } = harness.deps;
    rewards.GetRewards = async ({ ids }) => ({ rewards: ids.map((id) => ({ id })) }) as never;
    rewards.QuoteGift = async ({ reward_id, client_id, source, given_before = 0 }) => {
      expect({ client_id, source }).toEqual({ client_id: client, source: 'earning_rule' });
      asked.push(`${reward_id} ${given_before}`);
      if (reward_id === refused) throw platform.conflict({ message: 'the reward is not active' });
      return { points_cost: 0, reward_name: 'Cup' };
    };
    const client = harness.newClient();
    const give = (reward_id: string) => ({ type: 'give_reward', reward_id });
    await transaction({ priority: 1, effects: [give(given), earn(3)] });
    await transaction({ priority: 2, effects: [give(refused), earn(5)] });
    await transaction({ priority: 3, conditions: when('wallet.points.active == 3') });
    await transaction({ priority: 4, effects: [give(given), give(refused), earn(5)] });
    const { matched } = await ask(client);
    const no = 'giving the reward would be refused: the reward is not active';
    expect(matched.map(({ effects }) => effects.map(({ summary }) => summary))).toEqual([
      ['give a reward', 'earn 3 points'],
      [no],
      ['earn 5 points'],
      ['give a reward', no],
    ]);
    expect(asked.sort()).toEqual([`${given} 0`, `${given} 1`, `${refused} 0`].sort());
  });

  test('counts what rules before it would award among the points earned, in all and over a period', async () => {
    const earned = (value: number, period_days?: number) =>
      ({
        type: 'client_metric',
        metric: 'points_earned',
        operator: 'eq',
        value,
        ...(period_days ? { period_days } : {}),
      }) as const;
    await transaction({ priority: 1, effects: [earn(7)] });
    const all = await transaction({ priority: 2, conditions: [earned(7)], effects: [earn(1)] });
    const recent = await transaction({ priority: 3, conditions: [earned(8, 3)] });
    const formula = when('metrics.points_earned == wallet.points.earned');
    const both = await transaction({ priority: 4, conditions: formula });
    const { matched } = await ask(harness.newClient());
    expect(matched.slice(1).map(({ rule_id }) => rule_id)).toEqual([all.id, recent.id, both.id]);
  });

  test('refuses rules that the workspace does not have, naming each', async () => {
    const rule = await transaction({});
    const strange = '0190a000-0000-7000-8000-000000000000';
    const asked = ask(harness.newClient(), { rule_ids: [rule.id, strange] });
    await expect(asked).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'rule_ids.1' }],
    });
  });
});

test('executions of a client or rule that never was are refused, of one that is gone still listed', async () => {
  const rule = await harness.newRule();
  const client = harness.newClient();
  const page = { workspace_id: harness.workspaceId, limit: 50, offset: 0 };
  const list = (filter: object) => listExecutions(harness.deps, { ...page, ...filter });
  expect((await list({ client_id: client, automation_rule_id: rule.id })).total_count).toBe(0);
  await harness.fire(harness.happening(client));
  harness.people.delete(client);
  await harness.deps.rules.remove((await harness.deps.rules.find(harness.workspaceId, rule.id))!);
  const gone = { client_id: client, automation_rule_id: rule.id };
  expect((await list(gone)).total_count).toBe(1);
  expect((await list({ ...gone, status: 'failed' })).total_count).toBe(0);
  const strange = '0190a000-0000-7000-8000-000000000000';
  for (const filter of [{ client_id: strange }, { automation_rule_id: strange }])
    await expect(list(filter)).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: Object.keys(filter)[0] }],
    });
});
