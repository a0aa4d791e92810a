import {
  failedCondition,
  judgeConditions,
  keyOf,
  questionsOf,
  remembered,
  type Situation,
} from './conditions';
import type { Facts } from './facts';
import type { Condition } from './rule';

const wallet = { active: 10, pending: 0, locked: 0, earned: 30, spent: 20, expired: 0 };
const facts = {
  wallets: { points: wallet },
  tier: { id: 'gold', name: 'Gold', level: 2 },
  metrics: { transaction_count: 3, points_earned: 30, days_since_last_transaction: null },
} as unknown as Facts;
const situation: Situation = {
  facts,
  evaluate: (expression) => {
    if (expression === 'broken') throw new Error('division by zero');
    return expression === 'true';
  },
  measured: new Map(),
  segmentIds: new Set(['regulars']),
};
const without = { ...situation, facts: { ...facts, tier: null, wallets: {} } };
const bound = (value: number) => ({ operator: 'gte' as const, value });
const balance = (value: number): Condition => ({
  type: 'wallet_balance',
  wallet_type_code: 'points',
  ...bound(value),
});
const metric = (name: 'transaction_count' | 'days_since_last_transaction'): Condition => ({
  type: 'client_metric',
  metric: name,
  ...bound(3),
});

test.each<[Condition, Situation, object]>([
  [
    { type: 'expression', expression: 'true' },
    situation,
    { holds: true, actual: true, wanted: true },
  ],
  [
    { type: 'expression', expression: 'false' },
    situation,
    { holds: false, actual: false, wanted: true },
  ],
  [
    { type: 'expression', expression: 'broken' },
    situation,
    { holds: false, actual: 'division by zero', wanted: true },
  ],
  [
    { type: 'segment', segment_id: 'regulars' },
    situation,
    { holds: true, actual: true, wanted: true },
  ],
  [
    { type: 'segment', segment_id: 'new' },
    situation,
    { holds: false, actual: false, wanted: true },
  ],
  [{ type: 'tier', tier_id: 'gold' }, situation, { holds: true, actual: 'gold', wanted: 'gold' }],
  [
    { type: 'tier', tier_id: 'silver' },
    situation,
    { holds: false, actual: 'gold', wanted: 'silver' },
  ],
  [{ type: 'tier', tier_id: 'gold' }, without, { holds: false, actual: null, wanted: 'gold' }],
  [balance(10), situation, { holds: true, actual: 10, wanted: bound(10) }],
  [balance(11), situation, { holds: false, actual: 10, wanted: bound(11) }],
  [balance(1), without, { holds: false, actual: 0, wanted: bound(1) }],
  [metric('transaction_count'), situation, { holds: true, actual: 3, wanted: bound(3) }],
  [
    metric('days_since_last_transaction'),
    situation,
    { holds: false, actual: null, wanted: bound(3) },
  ],
])('%j is judged by what is and what would have to be', (condition, given, judged) => {
  expect(judgeConditions({ conditions: [condition] }, given)).toEqual([{ index: 0, ...judged }]);
});

test('each condition is judged by itself, also after one that fails or cannot be evaluated', () => {
  const conditions: Condition[] = [
    { type: 'expression', expression: 'broken' },
    balance(11),
    balance(9),
  ];
  expect(judgeConditions({ conditions }, situation)).toMatchObject([
    { index: 0, holds: false },
    { index: 1, holds: false },
    { index: 2, holds: true },
  ]);
});

test.each<[Condition, string]>([
  [{ type: 'expression', expression: 'false' }, 'false does not hold'],
  [{ type: 'segment', segment_id: 'new' }, 'the client is not in the segment'],
  [{ type: 'tier', tier_id: 'silver' }, 'the client is not in the tier'],
  [balance(11), 'balance of points is 10, not gte 11'],
  [metric('days_since_last_transaction'), 'days_since_last_transaction is unknown, not gte 3'],
])('a rule hears why %j does not hold', (condition, detail) => {
  expect(failedCondition({ conditions: [condition] }, situation)).toEqual({ index: 0, detail });
});

test('a client in a segment is in it, and one without tier or wallet has neither', () => {
  const failed = (condition: Condition, given: Situation) =>
    failedCondition({ conditions: [condition] }, given);
  expect(failed({ type: 'segment', segment_id: 'regulars' }, situation)).toBeNull();
  expect(failed({ type: 'tier', tier_id: 'gold' }, without)).toMatchObject({ index: 0 });
  expect(failed(balance(0), without)).toBeNull();
  expect(failed(balance(1), without)).toMatchObject({
    detail: 'balance of points is 0, not gte 1',
  });
});

test('only points earned are counted by the wallet, and those of all where none is named', () => {
  const judged = (asked: 'points_earned' | 'transaction_count', code?: string) => {
    const named = code === undefined ? {} : { wallet_type_code: code };
    const condition: Condition = { type: 'client_metric', metric: asked, ...bound(0), ...named };
    return judgeConditions({ conditions: [condition] }, { ...situation, facts: twoWallets })[0];
  };
  const twoWallets = {
    ...facts,
    wallets: { points: wallet, stamps: { ...wallet, earned: 7 } },
    metrics: { ...facts.metrics, points_earned: 37 },
  };
  expect(judged('points_earned', 'stamps')).toMatchObject({ actual: 7 });
  expect(judged('points_earned')).toMatchObject({ actual: 37 });
  expect(judged('transaction_count', 'stamps')).toMatchObject({ actual: 3 });
});

test('what has to be counted over a period is asked once, and nothing else is', () => {
  const over = (days: number, code?: string) =>
    ({
      type: 'client_metric',
      metric: 'points_earned',
      period_days: days,
      ...(code === undefined ? {} : { wallet_type_code: code }),
      ...bound(1),
    }) as const;
  const conditions: Condition[] = [
    balance(1),
    metric('transaction_count'),
    over(7),
    over(30),
    over(30, 'points'),
    over(30, 'stamps'),
    { ...over(7), value: 99 },
  ];
  const questions = questionsOf({ conditions });
  expect(questions.map((one) => [one.period_days, one.wallet_type_code])).toEqual([
    [7, undefined],
    [30, undefined],
    [30, 'points'],
    [30, 'stamps'],
  ]);
  const answers = new Map(questions.map((question, index) => [keyOf(question), index]));
  const judged = judgeConditions({ conditions }, { ...situation, measured: answers });
  expect(judged.map(({ actual }) => actual)).toEqual([10, 3, 0, 1, 2, 3, 0]);
});

test('a figure over a period that there is nothing to measure of holds for no comparison', () => {
  const condition = { ...metric('transaction_count'), period_days: 7 } as Condition;
  for (const measured of [new Map(), new Map([['transaction_count 7 ', null]])])
    expect(judgeConditions({ conditions: [condition] }, { ...situation, measured })).toMatchObject([
      { holds: false, actual: null },
    ]);
});

test('a formula is evaluated once, and gives or throws the same when it is asked for again', () => {
  const asked: string[] = [];
  const evaluate = remembered((expression) => {
    asked.push(expression);
    return situation.evaluate(expression);
  });
  expect([evaluate('true'), evaluate('false'), evaluate('true')]).toEqual([true, false, true]);
  for (let time = 0; time < 2; time += 1)
    expect(() => evaluate('broken')).toThrow('division by zero');
  expect(asked).toEqual(['true', 'false', 'broken']);
});
