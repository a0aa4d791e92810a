import { platform } from '@laurel/errors';
import { sideIdOf } from '@laurel/events';
import type { automations as api } from '@laurel/rpc';
import { awake, takeUp, underOneKey, workOff } from '@laurel/testing';
import { add, toUnits, ZERO } from '@laurel/values/amount';
import fc from 'fast-check';
import type { Trigger } from '../domain/trigger';
import { Harness } from '../testing/harness';
import { deleteRule } from './delete-rule';
import { getBacktest } from './get-backtest';
import { startBacktest } from './start-backtest';
import { backtestWorker } from './work-backtest';

let base: Harness;
let harness: Harness;
const START = Date.parse('2026-03-01T00:00:00.000Z');
beforeAll(async () => {
  base = await Harness.open();
});
beforeEach(() => {
  harness = base.inNewWorkspace();
  harness.clock.set(new Date(START).toISOString());
});
afterAll(() => base.close());

const earn = (amount: number) => ({
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'fixed',
  amount,
});

async function replay(at: Harness, request: Partial<api.StartBacktestRequest>) {
  const { id } = await startBacktest(at.deps, {
    workspace_id: at.workspaceId,
    from_date: new Date(START).toISOString(),
    to_date: at.clock.now().toISOString(),
    ...request,
  });
  const worker = backtestWorker(at.deps);
  // Worked on here and now, so that a fault fails the test rather than being tried again later.
  const claimed = await takeUp(worker);
  if (claimed) await worker.work(claimed.row, claimed, awake);
  return getBacktest(at.deps, { workspace_id: at.workspaceId, id });
}

const buy = (at: Harness, client: string, amount = 10) =>
  at.record(client, { event_category: 'transaction', event_type: 'purchase', amount });

test('a backtest sees metrics as they were at each event, and who was away for a month', async () => {
  const client = harness.newClient();
  for (let purchase = 0; purchase < 4; purchase += 1) {
    buy(harness, client);
    harness.clock.advanceMs((purchase === 2 ? 31 : 1) * 86_400_000);
  }
  const rule = (condition: object) => ({
    name: 'Rule',
    trigger_type: 'transaction',
    conditions: [condition] as never,
    effects: [earn(50)] as never,
  });
  const metric = (name: string, operator: string, value: number) =>
    rule({ type: 'client_metric', metric: name, operator, value });
  const matches = async (asked: ReturnType<typeof rule>) =>
    (await replay(harness, { rule: asked })).matches;
  expect(await matches(metric('transaction_count', 'eq', 1))).toBe(1);
  expect(await matches(metric('transaction_count', 'gte', 3))).toBe(2);
  expect(await matches(metric('total_spending', 'lt', 30))).toBe(2);
  expect(await matches(metric('days_since_last_transaction', 'gte', 30))).toBe(1);
  expect(
    await matches(rule({ type: 'expression', expression: 'metrics.transaction_count == 2' })),
  ).toBe(1);
});

test('a rule that counts over days sees purchases up to its own, whatever came in since, as its backtest does', async () => {
  const client = harness.newClient();
  const rule = await harness.newRule({
    trigger_type: 'transaction',
    conditions: [
      {
        type: 'client_metric',
        metric: 'transaction_count',
        period_days: 1,
        operator: 'eq',
        value: 2,
      },
      {
        type: 'client_metric',
        metric: 'total_spending',
        period_days: 1,
        operator: 'eq',
        value: 20,
      },
    ] as never,
    effects: [earn(50)] as never,
  });
  // All on record before any rule has its turn; the last two in one moment.
  const burst = [];
  for (let purchase = 0; purchase < 4; purchase += 1) {
    burst.push(buy(harness, client));
    if (purchase === 0) harness.clock.advanceMs(1);
  }
  for (const purchase of [...burst].reverse()) await harness.fire(purchase);
  const done = (await harness.executions()).filter(({ status }) => status === 'success');
  expect(done.map(({ trigger }) => trigger.eventId)).toHaveLength(1);
  harness.clock.advanceMs(1);
  const { matches, sample } = await replay(harness, { rule_id: rule.id });
  expect(matches).toBe(1);
  expect(sample.map(({ event_id }) => event_id)).toEqual(
    done.map(({ trigger }) => trigger.eventId),
  );
});

test('a rule about a custom event counts what had happened until then, whatever came in before it had its turn', async () => {
  const client = harness.newClient();
  const rule = await harness.newRule({
    conditions: [
      { type: 'client_metric', metric: 'transaction_count', operator: 'eq', value: 1 },
      { type: 'client_metric', metric: 'total_spending', operator: 'eq', value: 10 },
      { type: 'client_metric', metric: 'points_earned', operator: 'eq', value: 0 },
      { type: 'client_metric', metric: 'points_earned', period_days: 9, operator: 'eq', value: 0 },
      {
        type: 'client_metric',
        metric: 'days_since_last_transaction',
        operator: 'eq',
        value: 2,
      },
    ] as never,
  });
  await harness.newRule({ trigger_type: 'transaction', trigger_config: { min_amount: 20 } });
  buy(harness, client);
  harness.clock.advanceMs(2 * 86_400_000);
  const asked = harness.record(client, { event_category: 'custom', event_type: 'quiz' });
  harness.clock.advanceMs(1);
  await harness.fire(buy(harness, client, 30));
  expect(harness.balanceOf(client)).toBe(5);
  await harness.fire(asked);
  const ran = await harness.executions({ ruleId: rule.id });
  expect(ran.map(({ status }) => status)).toEqual(['success']);
  expect((await replay(harness, { rule_id: rule.id })).matches).toBe(1);
});

test('a backtest sees the points that rules before gave over the same event, and not those of rules after', async () => {
  const client = harness.newClient();
  const transaction = { trigger_type: 'transaction' } as const;
  const earned = (value: number) =>
    [{ type: 'client_metric', metric: 'points_earned', operator: 'eq', value }] as never;
  await harness.newRule({ ...transaction, priority: 1, effects: [earn(10)] as never });
  const middle = await harness.newRule({ ...transaction, priority: 2, conditions: earned(10) });
  await harness.newRule({ ...transaction, priority: 3, effects: [earn(100)] as never });
  const happened = buy(harness, client);
  harness.clock.advanceMs(200);
  await harness.fire(happened);
  harness.clock.advanceMs(1);
  expect(await harness.executions({ ruleId: middle.id })).toHaveLength(1);
  expect(await replay(harness, { rule_id: middle.id })).toMatchObject({
    matches: 1,
    approximations: [],
  });
  // One that is only thought of would run after those there are.
  const thought = { name: 'Rule', ...transaction, priority: 3, conditions: earned(115) };
  const asked = { ...thought, effects: [earn(1)] as never };
  expect((await replay(harness, { rule: asked })).matches).toBe(1);
});

test('a backtest of a century goes over what is empty in long strides, and finds the same as one of the day', async () => {
  const client = harness.newClient();
  for (let purchase = 0; purchase < 3; purchase += 1) {
    buy(harness, client, 20);
    harness.clock.advanceMs(3_600_000);
  }
  const listed = jest.spyOn(harness.deps.clients, 'ListEvents');
  const rule = { name: 'Rule', trigger_type: 'transaction', effects: [earn(5)] as never };
  const century = { from_date: '2000-01-01T00:00:00.000Z', to_date: '2100-01-01T00:00:00.000Z' };
  const found = await replay(harness, { rule, ...century });
  expect(found).toMatchObject({ status: 'completed', events_replayed: 3, matches: 3, progress: 1 });
  expect(listed.mock.calls.length).toBeLessThan(100);
});

test('a backtest holds a few thousand events at once however many a day has, and keeps their order', async () => {
  const client = harness.newClient();
  const first = buy(harness, client);
  for (let purchase = 1; purchase < 6_000; purchase += 1) {
    harness.clock.advanceMs(1_000);
    buy(harness, client);
  }
  const readThrough: number[] = [];
  const { ListEvents } = harness.deps.clients;
  jest.spyOn(harness.deps.clients, 'ListEvents').mockImplementation(async (request) => {
    const page = await ListEvents(request);
    if (request.cursor) readThrough.push(page.total);
    return page;
  });
  const found = await replay(harness, {
    rule: {
      name: 'Rule',
      trigger_type: 'transaction',
      limits: { total_executions: 1 } as never,
      effects: [earn(5)] as never,
    },
  });
  expect(found).toMatchObject({ status: 'completed', events_replayed: 6_000, matches: 1 });
  expect(found.sample).toEqual([expect.objectContaining({ event_id: first.eventId })]);
  expect(Math.max(...readThrough)).toBeLessThanOrEqual(5_000);
});

test('a backtest names what it could only look at as it is now', async () => {
  const conditions = [
    { type: 'wallet_balance', wallet_type_code: 'points', operator: 'gte', value: 0 },
    { type: 'segment', segment_id: 's' },
    { type: 'expression', expression: 'tier.level == 0' },
  ];
  const rule = { name: 'Rule', trigger_type: 'transaction', conditions, effects: [earn(1)] };
  const { approximations } = await replay(harness, { rule: rule as never });
  expect(approximations).toEqual(['balances', 'tier', 'segments']);
});

test('a backtest asks segments about what its clients have now, earned points included', async () => {
  const client = harness.newClient();
  const asked: unknown[] = [];
  harness.deps.segments.containing = async (_workspaceId, ids, { standing = { wallets: [] } }) => {
    asked.push(standing.wallets.map(({ active, earned }) => [active, earned]));
    return standing.wallets.some(({ earned }) => earned >= 100) ? [...ids] : [];
  };
  buy(harness, client);
  harness.clock.advanceMs(1_000);
  const at = harness.clock.now().toISOString();
  harness.entries.set('gift', { clientId: client, amount: 500, at });
  harness.clock.advanceMs(1_000);
  const segment = { type: 'segment', segment_id: 's' };
  const metric = { type: 'client_metric', metric: 'points_earned', operator: 'eq', value: 0 };
  for (const conditions of [[segment], [metric, segment]]) {
    const rule = { name: 'Rule', trigger_type: 'transaction', conditions, effects: [earn(1)] };
    expect(await replay(harness, { rule: rule as never })).toMatchObject({ matches: 1 });
  }
  expect(asked).toEqual([[[500, 500]], [[500, 500]]]);
});

test('a backtest knows a custom field by its bare name, as the live rule does', async () => {
  const event_category = 'field_change';
  const change = { event_category, event_type: 'field_updated', new_value: '39' };
  const client = harness.newClient();
  harness.record(client, { ...change, field_name: 'custom_fields.shoe' });
  harness.record(client, { ...change, field_name: 'custom_fields.hat' });
  harness.clock.advanceMs(1_000);
  const rule = {
    name: 'Rule',
    trigger_type: event_category,
    trigger_config: { field_names: ['shoe'] },
    conditions: [{ type: 'expression', expression: 'event.field_name == "shoe"' }],
    effects: [earn(1)],
  };
  expect(await replay(harness, { rule: rule as never })).toMatchObject({ matches: 1 });
});

test('a backtest knows what points were given under, as the live rule does', async () => {
  const metadata = { points_ledger_id: 'entry', external_id: 'promo-7' };
  const told = { event_category: 'loyalty', event_type: 'points_earned', metadata };
  harness.record(harness.newClient(), told);
  harness.clock.advanceMs(1_000);
  const expression = 'event.external_id.startsWith("promo-")';
  const rule = {
    name: 'Rule',
    trigger_type: 'loyalty',
    conditions: [{ type: 'expression', expression }],
    effects: [earn(1)],
  };
  expect(await replay(harness, { rule: rule as never })).toMatchObject({
    matches: 1,
    approximations: [],
  });
});

test('a backtest does not count what the rule itself gave over a referral as earned before it', async () => {
  const rule = await harness.newRule({
    trigger_type: 'referral',
    trigger_config: { event_types: ['referral_completed'] },
    conditions: [{ type: 'client_metric', metric: 'points_earned', operator: 'lt', value: 100 }],
    effects: [earn(100)],
  });
  const client = harness.newClient();
  const completed = { eventType: 'referral_completed', eventCategory: 'referral' };
  const role = 'referee' as const;
  const happened = harness.happening(client, { type: 'referral', role, ...completed });
  await harness.fire(happened);
  expect(harness.balanceOf(client)).toBe(100);
  harness.record(client, {
    id: sideIdOf(happened.eventId, role),
    event_category: 'referral',
    event_type: 'referral_completed',
    metadata: { role },
  });
  harness.clock.advanceMs(1_000);
  expect(await replay(harness, { rule_id: rule.id })).toMatchObject({ matches: 1 });
});

describe('a backtest whose formulas take long', () => {
  /** Two moments weigh 8 000: a thousand words take most of what one event may, and next to no time. */
  const dear = 'event.metadata.words.all(one, daysBetween(now, now) == 0)';
  const rule = {
    name: 'Rule',
    trigger_type: 'transaction',
    conditions: [{ type: 'expression', expression: dear }],
    effects: [earn(1)],
  } as never;
  const buyWords = (times: number, words: number) => {
    const client = harness.newClient();
    const metadata = { words: Array.from({ length: words }, () => 'word') };
    const told = { event_category: 'transaction', event_type: 'purchase', amount: 10, metadata };
    for (let time = 0; time < times; time += 1) {
      harness.record(client, told);
      harness.clock.advanceMs(1_000);
    }
  };

  test('lets others have their turn between events', async () => {
    buyWords(50, 1);
    const { formulas } = harness.deps;
    const evaluate = formulas.evaluate.bind(formulas);
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 1);
    const turnsByEvent = new Set<number>();
    jest.spyOn(formulas, 'evaluate').mockImplementation((...asked) => {
      const until = performance.now() + 10;
      while (performance.now() < until) turnsByEvent.add(turns);
      return evaluate(...asked);
    });
    const found = await replay(harness, { rule });
    clearInterval(others);
    expect(found).toMatchObject({ status: 'completed', matches: 50 });
    expect(turnsByEvent.size).toBeGreaterThan(40);
  });

  test('ends as failed, in one go, where they do so event after event', async () => {
    buyWords(200, 1_000);
    const evaluated = jest.spyOn(harness.deps.formulas, 'evaluate');
    expect(await replay(harness, { rule })).toMatchObject({
      status: 'failed',
      error: 'the formulas of the rule take too long with these events',
    });
    expect(evaluated.mock.calls.length).toBeGreaterThan(100);
    expect(evaluated.mock.calls.length).toBeLessThan(150);
  });

  test('is done where few do so among many', async () => {
    buyWords(50, 1_000);
    buyWords(2_000, 5);
    buyWords(50, 1_000);
    expect(await replay(harness, { rule })).toMatchObject({ status: 'completed', matches: 2_100 });
  });
});

describe('a backtest that cannot go on for reasons that are not its own', () => {
  const asked = { name: 'Rule', trigger_type: 'transaction', effects: [earn(5)] as never };
  const start = () =>
    startBacktest(harness.deps, {
      workspace_id: harness.workspaceId,
      from_date: new Date(START).toISOString(),
      to_date: harness.clock.now().toISOString(),
      rule: asked,
    });
  const standing = (id: string) =>
    getBacktest(harness.deps, { workspace_id: harness.workspaceId, id });

  test('waits for a service as long as that is away', async () => {
    buy(harness, harness.newClient());
    harness.clock.advanceMs(86_400_000);
    const { id } = await start();
    let isAway = true;
    const { clients } = harness.deps;
    const worker = backtestWorker({
      ...harness.deps,
      clients: {
        ...clients,
        GetClients: (request) =>
          isAway ? Promise.reject(platform.serviceUnavailable()) : clients.GetClients(request),
      },
    });
    for (let minute = 0; minute < 60; minute += 1) {
      expect(await workOff(worker)).toBe(1);
      harness.clock.advanceMs(60_000);
    }
    expect(await standing(id)).toMatchObject({ status: 'running' });
    isAway = false;
    await workOff(worker);
    expect(await standing(id)).toMatchObject({ status: 'completed', matches: 1 });
  });

  test('is given back where its process is to stop, for another to begin with it at once', async () => {
    buy(harness, harness.newClient());
    harness.clock.advanceMs(86_400_000);
    const { id } = await start();
    const worker = backtestWorker(harness.deps);
    for (let stop = 0; stop < 10; stop += 1) {
      const claimed = (await takeUp(worker))!;
      await worker.work(claimed.row, claimed, { isStopping: () => true });
    }
    expect(await standing(id)).toMatchObject({ status: 'running', matches: 0 });
    expect(await workOff(worker)).toBe(1);
    expect(await standing(id)).toMatchObject({ status: 'completed', matches: 1 });
  });
});

test('a backtest counts no event that fires no rule when it happens', async () => {
  const client = harness.newClient();
  const told = { event_category: 'loyalty', metadata: {} };
  harness.record(client, { event_category: 'custom', event_type: 'quiz' });
  const of_campaign = { event_category: 'custom', source: 'campaign:1' };
  harness.record(client, { ...of_campaign, event_type: 'campaign_send_push' });
  for (const event_type of ['points_transferred', 'points_cancelled', 'points_refunded'])
    harness.record(client, { ...told, event_type });
  harness.record(client, { ...told, event_type: 'points_earned' });
  harness.clock.advanceMs(1_000);
  for (const trigger_type of ['custom_event', 'loyalty']) {
    const rule = { name: 'Rule', trigger_type, effects: [earn(1)] as never };
    expect(await replay(harness, { rule })).toMatchObject({ matches: 1, points: 1 });
  }
});

test('a backtest of a rule that is not there, or that cannot be, is refused with the field in the body', async () => {
  const rule_id = '0190a000-0000-7000-8000-000000000000';
  await expect(replay(harness, { rule_id })).rejects.toMatchObject({
    httpStatus: 400,
    problems: [{ field: 'rule_id' }],
  });
  const effects = [{ ...earn(1), wallet_type_code: 'gold' }] as never;
  const rule = { name: 'Rule', trigger_type: 'transaction', effects };
  await expect(replay(harness, { rule })).rejects.toMatchObject({
    problems: [{ field: 'rule.effects.0.wallet_type_code' }],
  });
});

describe('a live rule and its backtest', () => {
  /** Shorter than what rules take to have their turn. */
  const AT_ONCE_MS = 20;
  const LAG_MS = 200;
  const CONDITIONS = [
    'metrics.transaction_count == 2',
    'metrics.transaction_count % 2 == 0',
    'metrics.total_spending >= 25',
    'metrics.points_earned < 40',
    'metrics.points_earned % 2 == 0',
    'wallet.points.earned >= 12',
    'metrics.days_since_last_transaction >= 2',
    'weekday(event.event_timestamp) in [1, 6, 7]',
    'hour(now) >= 12',
    'isBirthday(client.birth_date)',
    'event.amount * 3 >= 7.5',
  ];
  const METRICS = [
    { metric: 'transaction_count', operator: 'gte', value: 3 },
    { metric: 'transaction_count', period_days: 3, operator: 'eq', value: 2 },
    { metric: 'total_spending', period_days: 5, operator: 'lt', value: 20 },
    { metric: 'days_since_last_transaction', operator: 'lte', value: 1 },
    { metric: 'days_since_last_transaction', period_days: 4, operator: 'gte', value: 1 },
    { metric: 'points_earned', period_days: 4, operator: 'lt', value: 15 },
    { metric: 'points_earned', wallet_type_code: 'points', operator: 'gte', value: 6 },
    { metric: 'points_earned', wallet_type_code: 'stamps', operator: 'lt', value: 9 },
    {
      metric: 'points_earned',
      wallet_type_code: 'stamps',
      period_days: 4,
      operator: 'lt',
      value: 8,
    },
  ];
  const AMOUNTS = [
    'floor(coalesce(event.amount, 4))',
    'coalesce(event.amount, 1) / 3',
    'percent(coalesce(event.amount, 50), 7)',
    'floor(metrics.points_earned / 4)',
    'wallet.points.earned > 10 ? 1 : 3',
    '2.5',
  ];
  const TRIGGERS = [
    { trigger_type: 'transaction', trigger_config: {} },
    { trigger_type: 'transaction', trigger_config: { min_amount: 3 } },
    { trigger_type: 'transaction', trigger_config: { event_types: ['purchase', 'refund'] } },
    { trigger_type: 'custom_event', trigger_config: {} },
  ] as const;
  const rules = fc.record({
    /** Rules that run over the same events, before this one or after. */
    others: fc.array(
      fc.record({
        trigger: fc.constantFrom(...TRIGGERS),
        priority: fc.constantFrom(-1, 0, 1),
        amount: fc.constantFrom('3', 'floor(metrics.points_earned / 8) + 1'),
        wallet: fc.constantFrom('points', 'stamps'),
        isOlder: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati'),
    trigger: fc.constantFrom(...TRIGGERS),
    conditions: fc.array(
      fc.oneof(
        fc.constantFrom(...CONDITIONS).map((expression) => ({ type: 'expression', expression })),
        fc.constantFrom(...METRICS).map((metric) => ({ type: 'client_metric', ...metric })),
      ),
      { maxLength: 2 },
    ),
    amount: fc.constantFrom(...AMOUNTS),
    wallet: fc.constantFrom('points', 'points', 'stamps'),
    limits: fc.record(
      {
        total_budget: fc.integer({ min: 5, max: 60 }),
        per_client_budget: fc.integer({ min: 5, max: 30 }),
        total_executions: fc.integer({ min: 1, max: 12 }),
        executions_per_client: fc.record({
          interval: fc.constantFrom('hour', 'day', 'week', 'month', 'lifetime'),
          value: fc.integer({ min: 1, max: 3 }),
        }),
      },
      { requiredKeys: [] },
    ),
  });
  const events = fc.array(
    fc.record({
      client: fc.nat({ max: 2 }),
      type: fc.constantFrom('purchase', 'purchase', 'purchase', 'refund', 'quiz', 'quiz'),
      cents: fc.integer({ min: 0, max: 1_500 }),
      /** How long after the one before: at once, so that both are on record before a rule has its turn, or later. */
      wait: fc.oneof(
        fc.integer({ min: 1, max: AT_ONCE_MS }),
        fc.integer({ min: 60_000, max: 86_400_000 }),
        fc.integer({ min: 1, max: 5 }).map((days) => days * 86_400_000),
      ),
    }),
    { minLength: 1, maxLength: 20 },
  );

  type Asked = typeof rules extends fc.Arbitrary<infer Value> ? Value : never;
  type Happening = typeof events extends fc.Arbitrary<(infer Value)[]> ? Value : never;

  const earning = (amount_expression: string, wallet_type_code: string) =>
    [
      {
        type: 'earn_points',
        wallet_type_code,
        amount_type: 'expression',
        amount_expression,
      },
    ] as never;

  async function newRules(at: Harness, asked: Asked) {
    const others = (isOlder: boolean) =>
      asked.others
        .filter((one) => one.isOlder === isOlder)
        .map(({ trigger, priority, amount, wallet }) => ({
          ...(trigger as object),
          priority,
          effects: earning(amount, wallet),
        }));
    for (const fields of others(true)) await at.newRule(fields);
    const rule = await at.newRule({
      ...(asked.trigger as object),
      conditions: asked.conditions as never,
      effects: earning(asked.amount, asked.wallet),
      limits: asked.limits,
    });
    for (const fields of others(false)) await at.newRule(fields);
    return rule;
  }

  /** What comes at once is all on record before rules get their turn, some time later. */
  async function happen(at: Harness, clients: readonly string[], happenings: Happening[]) {
    let burst: Trigger[] = [];
    const work = async () => {
      at.clock.advanceMs(LAG_MS);
      for (const happened of burst) await at.fire(happened);
      burst = [];
    };
    for (const { client, type, cents, wait } of happenings) {
      if (wait > AT_ONCE_MS) await work();
      at.clock.advanceMs(wait);
      const told =
        type === 'quiz'
          ? { event_category: 'custom', event_type: type }
          : { event_category: 'transaction', event_type: type, amount: cents / 100 };
      burst.push(at.record(clients[client]!, told));
    }
    await work();
    at.clock.advanceMs(1);
  }

  test('agree on executions and points, whatever happens and whichever rules run beside it', async () => {
    await fc.assert(
      fc.asyncProperty(rules, events, async (asked, happenings) => {
        const at = base.inNewWorkspace();
        at.clock.set(new Date(START).toISOString());
        at.timeZone = asked.zone;
        const rule = await newRules(at, asked);
        const clients = ['1990-03-03', '1991-03-10', '1992-02-29'].map((birth_date) =>
          at.newClient({ birth_date }),
        );
        await happen(at, clients, happenings);
        const ran = await at.executions({ ruleId: rule.id });
        const live = ran.filter(({ status }) => status === 'success');
        const backtest = await replay(at, { rule_id: rule.id });
        expect(backtest).toMatchObject({ status: 'completed', error: null });
        const order = (a: string, b: string) => (a < b ? -1 : 1);
        expect(backtest.sample.map(({ event_id }) => event_id).sort(order)).toEqual(
          live.map(({ trigger }) => trigger.eventId).sort(order),
        );
        expect(backtest).toMatchObject({
          matches: live.length,
          clients: new Set(live.map(({ clientId }) => clientId)).size,
        });
        const awarded = live.map(({ awarded: points }) => points);
        expect(toUnits(backtest.points)).toBe(add(ZERO, ...awarded));
        const { usage } = await at.readRule(rule.id);
        expect(usage).toMatchObject({ executions: live.length, points: backtest.points });
      }),
      {
        numRuns: Number(process.env.PROPERTY_RUNS ?? 25),
        seed: Number(process.env.PROPERTY_SEED ?? 7),
      },
    );
  }, 600_000);
});

test('the repeat of a backtest is answered as the first time, though its rule is gone by then', async () => {
  const { id: rule_id } = await harness.newRule();
  const { workspaceId: workspace_id } = harness;
  const at = harness.clock.now().toISOString();
  const request = { workspace_id, rule_id, from_date: at, to_date: at };
  const start = underOneKey(() => startBacktest(harness.deps, request));
  const first = await start();
  await deleteRule(harness.deps, { workspace_id, id: rule_id });
  expect(await start()).toEqual(first);
  await expect(startBacktest(harness.deps, request)).rejects.toMatchObject({ httpStatus: 400 });
});
