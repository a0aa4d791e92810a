import { newId } from '@laurel/lifecycle';
import { atEveryCall, type Death, mortal } from '@laurel/testing';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { TAKE_OVER_MS } from './decide-execution';
import { forgetClient } from './forget-client';
import { moveClient } from './move-client';
import { openRuns } from './open-runs';
import { sweepExecutions } from './sweep-executions';
import { updateRule } from './update-rule';
import { workRun } from './work-run';

let harness: Harness;
let other: Deps;
beforeEach(async () => {
  harness = await Harness.open();
  other = await harness.anotherInstance();
});
afterEach(() => harness.close());

const earn = (amount: number) => ({
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'fixed',
  amount,
});

describe('one event', () => {
  test('fires a rule once per client, however often and wherever it arrives', async () => {
    await harness.newRule();
    const client = harness.newClient();
    const happened = harness.happening(client);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        harness.fire(happened, index % 2 === 0 ? harness.deps : other),
      ),
    );
    await harness.fire(happened);
    expect(await harness.executions()).toMatchObject([{ status: 'success', clientId: client }]);
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('lets rules run by priority, each seeing what the one before it did', async () => {
    const conditions = [{ type: 'expression', expression: 'wallet.points.active >= 5.0' }];
    await harness.newRule({ priority: 2, conditions, effects: [earn(100)] });
    await harness.newRule({ priority: 1 });
    await harness.newRule({ priority: 0, conditions, effects: [earn(1_000)] });
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    expect(harness.balanceOf(client)).toBe(105);
  });

  test('that a rule caused does not fire it again, and a chain ends at depth 5', async () => {
    const own = await harness.newRule();
    const client = harness.newClient();
    await harness.fire(harness.happening(client), harness.deps, [own.id]);
    expect(await harness.executions()).toEqual([]);
    const four = Array.from({ length: 4 }, newId);
    await harness.fire(harness.happening(client), harness.deps, four);
    expect(await harness.executions()).toMatchObject([{ chain: four, depth: 4 }]);
    await harness.fire(harness.happening(client), harness.deps, [...four, newId()]);
    expect(await harness.executions()).toHaveLength(1);
  });
});

describe('limits', () => {
  test('are never passed, however many events come to however many replicas', async () => {
    const rule = await harness.newRule({
      limits: { total_budget: 52, total_executions: 40, per_client_budget: 10 },
    });
    const clients = Array.from({ length: 8 }, () => harness.newClient());
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        harness.fire(
          harness.happening(clients[index % clients.length]!),
          index % 2 === 0 ? harness.deps : other,
        ),
      ),
    );
    const executions = await harness.executions({ ruleId: rule.id });
    expect(executions).toHaveLength(40);
    expect(executions.filter(({ status }) => status === 'success')).toHaveLength(10);
    expect(Math.max(...clients.map((id) => harness.balanceOf(id)))).toBe(10);
    const skipped = executions.filter(({ status }) => status === 'skipped');
    expect(skipped.every(({ errorMessage }) => errorMessage?.startsWith('limit_reached'))).toBe(
      true,
    );
  });

  test('count again what was set aside and not awarded', async () => {
    const spend = { type: 'deduct_points', wallet_type_code: 'points', amount: 1 };
    const rule = await harness.newRule({
      effects: [spend, earn(5)],
      limits: { total_budget: 5 },
    });
    const [poor, rich] = [harness.newClient(), harness.newClient()];
    await harness.fire(harness.happening(poor));
    expect(await harness.executions({ clientId: poor })).toMatchObject([
      { status: 'failed', results: [{ status: 'failed' }, { status: 'not_run' }] },
    ]);
    harness.entries.set('gift', { clientId: rich, amount: 1 });
    await harness.fire(harness.happening(rich));
    expect(harness.balanceOf(rich)).toBe(5);
    const key = { workspaceId: harness.workspaceId, ruleId: rule.id, clientId: rich };
    expect((await harness.deps.usages.find(key)).rule).toMatchObject({ points: 50_000 });
  });

  test('per interval roll with time', async () => {
    await harness.newRule({ limits: { executions_per_client: { interval: 'hour', value: 1 } } });
    const client = harness.newClient();
    for (const minutes of [0, 59, 2]) {
      harness.clock.advanceMs(minutes * 60_000);
      await harness.fire(harness.happening(client));
    }
    const statuses = (await harness.executions()).map(({ status }) => status);
    expect(statuses).toEqual(['success', 'skipped', 'success']);
  });

  test('of two clients add up when they are merged', async () => {
    const rule = await harness.newRule({ limits: { per_client_budget: 10 } });
    const [source, target] = [harness.newClient(), harness.newClient()];
    await harness.fire(harness.happening(source));
    await harness.fire(harness.happening(target));
    const { connection } = harness.store;
    await connection.transaction((session) =>
      moveClient(harness.deps, harness.workspaceId, { source, target }, session as never),
    );
    await harness.fire(harness.happening(target));
    const ofTarget = await harness.executions({ ruleId: rule.id, clientId: target });
    expect(ofTarget.map(({ status }) => status).sort()).toEqual(['skipped', 'success', 'success']);
  });
});

describe('an execution whose process is killed at any call', () => {
  test.each(['before', 'after'] as const)(
    '%s the call: every effect takes place once, and budgets come out exact',
    async (when) => {
      const calls = await atEveryCall(when, async (death: Death) => {
        const effects = [earn(5), { type: 'send_push', title: null, body: 'Hello' }, earn(2)];
        const event_types = [newId()];
        const rule = await harness.newRule({
          effects,
          trigger_config: { event_types },
          limits: { total_budget: 7 },
        });
        const client = harness.newClient();
        const happened = harness.happening(client, { eventType: event_types[0]! });
        const dying = mortal(harness.store.connection, death);
        const { ledger, ...others } = harness.neighbours();
        const replica = harness.depsOver(dying.connection, {
          ...others,
          ledger: dying.peer(ledger),
        });
        dying.arm();
        await Promise.race([harness.fire(happened, replica), dying.died]);
        harness.clock.advanceMs(TAKE_OVER_MS + 1);
        await sweepExecutions(harness.deps);
        await harness.fire(happened, other);
        const executions = await harness.executions({ ruleId: rule.id });
        expect([death, executions]).toMatchObject([
          death,
          [{ status: 'success', awarded: 70_000 }],
        ]);
        expect([death, harness.balanceOf(client)]).toEqual([death, 7]);
        const pushes = (await harness.events('automations.push_requested')).filter(
          ({ subject }) => subject === client,
        );
        expect([death, pushes]).toMatchObject([death, [{ data: { body: 'Hello' } }]]);
        return !dying.isDead();
      });
      expect(calls).toBeGreaterThan(10);
    },
    300_000,
  );

  test('is gone on with when a service that did not answer is back', async () => {
    await harness.newRule();
    const client = harness.newClient();
    const happened = harness.happening(client);
    harness.ledgerFault = new Error('the ledger is away');
    await expect(harness.fire(happened)).rejects.toThrow('away');
    expect(await harness.executions()).toEqual([]);
    harness.ledgerFault = null;
    harness.clock.advanceMs(TAKE_OVER_MS + 1);
    await sweepExecutions(harness.deps);
    expect(await harness.executions()).toMatchObject([{ status: 'success' }]);
    expect(harness.balanceOf(client)).toBe(5);
  });
});

describe('a schedule', () => {
  const schedule = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };
  const time_based = { trigger_type: 'time_based', trigger_config: { schedule } };

  test('serves every active client once per due moment, on any number of replicas', async () => {
    const clients = Array.from({ length: 450 }, () => harness.newClient());
    await harness.newRule(time_based);
    await openRuns(harness.deps);
    expect(await workRun(harness.deps)).toEqual({ more: false });
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await Promise.all([openRuns(harness.deps), openRuns(other)]);
    await Promise.all([workRun(harness.deps), workRun(other)]);
    while ((await workRun(other)).more);
    expect(clients.map((id) => harness.balanceOf(id))).toEqual(clients.map(() => 5));
    const [execution] = await harness.executions();
    expect(execution).toMatchObject({ trigger: { triggerEventId: null } });
  });

  test('that was missed is caught up with once', async () => {
    const client = harness.newClient();
    await harness.newRule(time_based);
    harness.clock.set('2026-01-20T12:00:00.000Z');
    for (let round = 0; round < 3; round += 1) {
      await openRuns(harness.deps);
      while ((await workRun(harness.deps)).more);
    }
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('is let go when the rule sleeps', async () => {
    const client = harness.newClient();
    const { id } = await harness.newRule(time_based);
    const request = { workspace_id: harness.workspaceId, id, fields: { active: false } };
    await updateRule(harness.deps, request);
    harness.clock.set('2026-01-16T12:00:00.000Z');
    await openRuns(harness.deps);
    await workRun(harness.deps);
    expect(harness.balanceOf(client)).toBe(0);
  });

  test('pushes only to those who agreed to marketing', async () => {
    const effects = [{ type: 'send_push', title: null, body: 'News' }];
    await harness.newRule({ ...time_based, effects });
    const asked = harness.newClient({ marketing_consent: true });
    const not = harness.newClient();
    harness.clock.set('2026-01-16T12:00:00.000Z');
    await openRuns(harness.deps);
    while ((await workRun(harness.deps)).more);
    const pushes = await harness.events('automations.push_requested');
    expect(pushes.map(({ subject }) => subject)).toEqual([asked]);
    expect(await harness.executions({ clientId: not })).toMatchObject([
      { status: 'skipped', errorMessage: 'no_marketing_consent' },
    ]);
  });
});

test('a person who is erased leaves no trace in executions but that they took place', async () => {
  await harness.newRule({
    effects: [
      { type: 'update_client_field', field_name: 'first_name', value_expression: '"Secret"' },
    ],
  });
  const client = harness.newClient();
  await harness.fire(harness.happening(client, { metadata: { note: 'Secret' } }));
  await forgetClient(harness.deps, harness.workspaceId, client);
  const [execution] = await harness.executions({ clientId: client });
  expect(execution).toMatchObject({ status: 'success' });
  expect(JSON.stringify(execution)).not.toContain('Secret');
});
