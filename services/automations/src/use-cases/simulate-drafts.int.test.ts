import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import { propertySettings } from '@laurel/testing';
import { toDecimal } from '@laurel/values/amount';
import fc from 'fast-check';
import type { Execution } from '../store/execution-document';
import { Harness } from '../testing/harness';
import { simulate } from './simulate';

let base: Harness;
let harness: Harness;
beforeAll(async () => {
  base = await Harness.open();
});
beforeEach(() => {
  harness = base.inNewWorkspace();
});
afterAll(() => base.close());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Saturday. */
const START = Date.parse('2026-02-28T09:00:00.000Z');

const points = (amount_expression: string) => ({
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'expression',
  amount_expression,
});
const spend = (amount: number) => ({
  type: 'deduct_points',
  wallet_type_code: 'points',
  amount,
});
const purchase = (amount: number): api.SyntheticEvent => ({
  trigger_type: 'transaction',
  event_type: 'purchase',
  amount,
  metadata: {},
});
const draft = (fields: api.RuleFields, id?: string): api.DraftRule => ({
  fields: { name: 'Draft', trigger_type: 'transaction', effects: [points('5')], ...fields },
  ...(id === undefined ? {} : { id }),
});
const ask = (clientId: string, more: Partial<api.SimulateRequest> = {}, at = harness) =>
  simulate(at.deps, {
    workspace_id: at.workspaceId,
    client_id: clientId,
    event: purchase(10),
    ...more,
  });
const namesOf = (rules: readonly { name: string }[]) => rules.map(({ name }) => name);

test('drafts are judged beside the saved rules and in the place of those whose ids they bear, and are nowhere afterwards', async () => {
  const trigger_type = 'transaction';
  const first = await harness.newRule({ name: 'First', trigger_type, priority: 1 });
  await harness.newRule({ name: 'Last', trigger_type, priority: 3 });
  const items = [draft({ name: 'New', priority: 2 }), draft({ name: 'Otherwise' }, first.id)];
  const client = harness.newClient();
  const { matched } = await ask(client, { rules: { items } });
  expect(matched.map(({ name, draft_index }) => [name, draft_index])).toEqual([
    ['Otherwise', 1],
    ['New', 0],
    ['Last', undefined],
  ]);
  expect(matched[0]!.rule_id).toBe(first.id);
  const alone = await ask(client, { rules: { items }, rule_ids: [] });
  expect(namesOf(alone.matched)).toEqual(['Otherwise', 'New']);
  expect(namesOf((await ask(client)).matched)).toEqual(['First', 'Last']);
});

test('formulas of a rule share what one may take, each evaluated once', async () => {
  const words = Array.from({ length: 3_000 }, () => 'word');
  const event = { ...purchase(10), metadata: { words } };
  const cheap = (count: number, expression: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({
      type: 'expression',
      expression: expression(index),
    })) as never;
  const other = (index: number) => `size(event.metadata.words.map(one, one + one)) > ${index}`;
  const items = [
    draft({ conditions: cheap(10, other) }),
    draft({ conditions: cheap(100, other) }),
    draft({ conditions: cheap(100, () => other(0)) }),
  ];
  const { matched, skipped } = await ask(harness.newClient(), { event, rules: { items } });
  expect(matched.map(({ draft_index }) => draft_index)).toEqual([0, 2]);
  expect(skipped).toMatchObject([
    { draft_index: 1, detail: expect.stringContaining('takes too long with these values') },
  ]);
});

describe('formulas that take long', () => {
  /** Two moments weigh 8 000: of a thousand words it takes most of what a rule may, of more it takes too much. */
  const dear = '!event.metadata.words.exists(one, daysBetween(now, now) > 1)';
  const conditions = [{ type: 'expression', expression: dear }] as never;
  const askOver = (words: number, items: api.DraftRule[]) => {
    const metadata = { words: Array.from({ length: words }, () => 'word') };
    const event = { ...purchase(10), metadata };
    return ask(harness.newClient(), { event, rules: { items } });
  };
  const reasonsOf = ({ skipped }: api.Simulation) =>
    skipped.map(({ draft_index, reason, detail }) => [draft_index, reason, detail]);
  const many = (count: number, fields: api.RuleFields = {}) =>
    Array.from({ length: count }, () => draft({ conditions, ...fields }));
  const last = draft({ name: 'last', priority: 9 });

  test('are shown as they were found, though asking twice would be too much', async () => {
    const { matched } = await askOver(1_000, many(1));
    expect(matched.map((one) => one.conditions)).toEqual([
      [{ index: 0, holds: true, actual: true, wanted: true }],
    ]);
  });

  test('take together what those of five rules may: rules beyond that are skipped, and say why', async () => {
    const four = await askOver(3_000, [...many(4), last]);
    expect(namesOf(four.matched)).toEqual(['last']);
    expect(reasonsOf(four).map(([, , detail]) => detail)).toEqual(
      Array.from({ length: 4 }, () => expect.stringContaining('takes too long with these values')),
    );
    expect(four.is_cut).toBe(false);
    const five = await askOver(3_000, [...many(5), last]);
    expect(namesOf(five.matched)).toEqual([]);
    expect(reasonsOf(five).at(-1)).toEqual([
      5,
      'condition_failed',
      expect.stringContaining('the rules before take too long with these values'),
    ]);
    expect(five.is_cut).toBe(true);
  });

  test('of rules that do not hear of the event take nothing from the others, and are looked at as far as there is room', async () => {
    const told = await askOver(3_000, [
      ...many(5, { active: false }),
      ...many(5, { trigger_config: { min_amount: 11 } }),
      ...many(5, { activity_window: { end_date: '2020-01-01T00:00:00Z' } }),
      last,
    ]);
    expect(namesOf(told.matched)).toEqual(['last']);
    expect(told.skipped.map((one) => one.conditions.length)).toEqual([
      ...[1, 1],
      ...Array.from({ length: 13 }, () => 0),
    ]);
  });

  test('behind a condition that does not hold take nothing from other rules, and are looked at as far as there is room', async () => {
    const never = { type: 'expression', expression: 'event.amount > 10' };
    const behind = [never, { type: 'expression', expression: dear }] as never;
    const { matched, skipped } = await askOver(3_000, [...many(9, { conditions: behind }), last]);
    expect(namesOf(matched)).toEqual(['last']);
    expect(skipped.map((one) => one.conditions.map(({ holds }) => holds))).toEqual([
      ...Array.from({ length: 2 }, () => [false, false]),
      ...Array.from({ length: 7 }, () => [false]),
    ]);
  });

  test('are left out beyond that of what would follow, which is cut then', async () => {
    const loyal = { trigger_type: 'loyalty', trigger_config: { event_types: ['points_earned'] } };
    const list = `[${Array(100).fill('1').join(', ')}]`;
    const days = Array(14).fill('daysBetween(now, now)').join(' + ');
    const asking = [{ type: 'expression', expression: `${list}.all(one, ${days} == 0)` }] as never;
    const thanks = draft({
      ...loyal,
      name: 'thanks',
      priority: 9,
      effects: [{ type: 'send_push', body: 'Thank you' }],
    });
    const follow = (count: number) =>
      askOver(1, [last, ...many(count, { ...loyal, conditions: asking }), thanks]);
    const four = await follow(4);
    expect(four.following.map(({ rule }) => rule!.name)).toEqual(['thanks']);
    expect(four.is_cut).toBe(false);
    const five = await follow(5);
    expect(five.following).toEqual([]);
    expect(five.is_cut).toBe(true);
  });
});

test('a draft is refused as it would be on being saved, each problem under its place', async () => {
  const bad = [
    draft({ conditions: [{ type: 'expression', expression: 'nobody == 1' }] }),
    draft({}),
    draft({ effects: [{ ...points('1'), wallet_type_code: 'none' }] }),
  ];
  await expect(ask(harness.newClient(), { rules: { items: bad } })).rejects.toMatchObject({
    problems: [
      { field: 'rules.0.conditions.0.expression' },
      { field: 'rules.2.effects.0.wallet_type_code' },
    ],
  });
});

test('a moment stands for the present: windows, weekdays, birthdays, limits of a day and balances go by it', async () => {
  harness.clock.set(new Date(START).toISOString());
  const client = harness.newClient({ birth_date: '1990-03-02' });
  const when = (expression: string) => ({ conditions: [{ type: 'expression', expression }] });
  const often = { executions_per_client: { interval: 'day', value: 1 } };
  const daily = await harness.newRule({
    name: 'daily',
    trigger_type: 'transaction',
    limits: often,
  });
  await harness.fire(
    harness.record(client, { event_category: 'transaction', event_type: 'purchase', amount: 1 }),
  );
  const items = [
    draft({ name: 'Monday', ...when('weekday(now) == 1') }),
    draft({ name: 'birthday', ...when('isBirthday(client.birth_date)') }),
    draft({ name: 'window', activity_window: { start_date: '2026-03-02T00:00:00Z' } }),
    draft({ name: 'later', ...when('event.event_timestamp == now') }),
  ];
  const asked = { rules: { items } };
  expect(namesOf((await ask(client, asked)).matched)).toEqual(['later']);
  const { matched, approximations } = await ask(client, {
    ...asked,
    now: '2026-03-02T12:00:00.000Z',
  });
  expect(namesOf(matched)).toEqual(['daily', 'Monday', 'birthday', 'window', 'later']);
  expect(approximations).toEqual(['client_fields']);
  expect(matched[0]!.rule_id).toBe(daily.id);

  const told: unknown[] = [];
  harness.deps.ledger.GetWallets = async (request) => {
    told.push(request);
    return harness.deps.ledger.GetBalances(request);
  };
  harness.deps.rewards.GetRewards = async ({ ids }) =>
    ({ rewards: ids.map((id) => ({ id })) }) as never;
  harness.deps.rewards.QuoteGift = async ({ at }) => {
    told.push(at);
    return { points_cost: 0, reward_name: 'Cup' };
  };
  const now = '2026-05-01T00:00:00.000Z';
  const effects = [{ type: 'give_reward', reward_id: newId() }];
  await ask(client, { rules: { items: [draft({ effects })] }, now });
  const whom = { workspace_id: harness.workspaceId, client_id: client };
  expect(told).toEqual([{ ...whom, at: now, foretells: true }, now]);
});

const expressions = fc.constantFrom(
  'event.amount >= 20',
  'weekday(now) == 1 || weekday(now) == 6',
  'hour(now) < 12',
  'wallet.points.active >= 10',
  'metrics.transaction_count % 2 == 1',
  'metrics.points_earned < 30',
  'isBirthday(client.birth_date) || event.amount > 5',
);
const effects = fc.array(
  fc.oneof(
    fc
      .constantFrom('event.amount', 'floor(event.amount / 3)', '7', 'wallet.points.active / 2')
      .map(points),
    fc.integer({ min: 1, max: 15 }).map(spend),
  ),
  { minLength: 1, maxLength: 3 },
);
const limits = fc.oneof(
  fc.constant({}),
  fc.record({
    executions_per_client: fc.record({
      interval: fc.constantFrom('hour', 'day', 'week', 'lifetime'),
      value: fc.integer({ min: 1, max: 2 }),
    }),
  }),
  fc.record({ per_client_budget: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ total_executions: fc.integer({ min: 1, max: 2 }) }),
);
const windows = fc
  .record(
    { start_date: fc.integer({ min: -5, max: 15 }), end_date: fc.integer({ min: 16, max: 40 }) },
    { requiredKeys: [] },
  )
  .map((days) =>
    Object.fromEntries(
      Object.entries(days).map(([name, day]) => [
        name,
        new Date(START + day! * DAY_MS).toISOString(),
      ]),
    ),
  );
const rules = fc.array(
  fc.record({
    priority: fc.integer({ min: 0, max: 2 }),
    active: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
    trigger_config: fc.constantFrom({}, { min_amount: 10 }, { event_types: ['purchase'] }),
    conditions: fc.array(
      expressions.map((expression) => ({ type: 'expression', expression })),
      { maxLength: 2 },
    ),
    effects,
    limits,
    activity_window: windows,
  }),
  { minLength: 1, maxLength: 5 },
);
const events = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 4_000 }).map((cents) => cents / 100),
    afterHours: fc.integer({ min: 1, max: 200 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** What a simulation says of each rule, by its name. */
const toldBy = ({ matched, skipped }: api.Simulation) =>
  new Map<string, unknown>([
    ...matched.map((one): [string, unknown] => [
      one.name,
      [one.effects, one.points, one.conditions],
    ]),
    ...skipped.map((one): [string, unknown] => [
      one.name,
      [one.reason, one.detail, one.conditions],
    ]),
  ]);

/** As an execution ends: nothing where a condition does not hold. */
const endings = ({ matched, skipped }: api.Simulation) => [
  ...matched.map(({ name, effects: told, points: earned }) => {
    const isRefused = told.some(({ summary }) => summary.includes('would be refused'));
    const isNothing = told.every(({ summary }) => summary === 'earn 0 points');
    return [name, isRefused ? 'failed' : isNothing ? 'skipped' : 'success', earned];
  }),
  ...skipped
    .filter(({ reason }) => reason === 'limit_reached')
    .map(({ name }) => [name, 'skipped', 0]),
];
const ending = ({ ruleName, status, awarded }: Execution) => [ruleName, status, toDecimal(awarded)];
const byName = (one: unknown[], other: unknown[]) => (String(one[0]) < String(other[0]) ? -1 : 1);

test('a rule that is not saved does in a simulation what it does in one once it is, and what then really happens', async () => {
  await fc.assert(
    fc.asyncProperty(rules, events, async (asked, happenings) => {
      const at = base.inNewWorkspace();
      at.clock.set(new Date(START).toISOString());
      const client = at.newClient({ birth_date: '1990-03-02' });
      const drafts = asked.map((fields, index) =>
        draft({ ...fields, name: `rule ${index}` } as never),
      );
      let ids: (string | undefined)[] = [];
      for (const { amount, afterHours } of happenings) {
        const then = new Date(at.clock.now().getTime() + afterHours * HOUR_MS);
        const event = purchase(amount);
        const items = drafts.map(({ fields }, index) => draft(fields!, ids[index]));
        const before = await ask(client, { event, rules: { items }, now: then.toISOString() }, at);
        if (ids.length === 0)
          ids = await Promise.all([...drafts].map(({ fields }) => at.newRule(fields))).then(
            (saved) => saved.map(({ id }) => id),
          );
        at.clock.set(then.toISOString());
        const saved = await ask(client, { event }, at);
        expect(toldBy(before)).toEqual(toldBy(saved));
        const happened = at.record(client, {
          event_category: 'transaction',
          event_type: 'purchase',
          amount,
        });
        await at.fire(happened);
        const ran = (await at.executions({ clientId: client })).filter(
          ({ trigger }) => trigger.eventId === happened.eventId,
        );
        expect(ran.map(ending).sort(byName)).toEqual(endings(saved).sort(byName));
      }
    }),
    propertySettings(25),
  );
});
