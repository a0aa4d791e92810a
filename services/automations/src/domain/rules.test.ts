import type { RuleOperator } from '@laurel/contract';
import { toUnits } from '@laurel/values/amount';
import { localTime } from '@laurel/values/calendar';
import { failedCondition, keyOf, questionsOf, type Situation } from './conditions';
import { ageOn, dayNamed, isAnniversary } from './days';
import { endOf, pointsAwarded } from './execution';
import { daysFrom, type Facts } from './facts';
import { planEffects, Unusable } from './plan';
import type { Condition } from './rule';

const now = new Date('2026-01-15T10:00:00.000Z');
const wallet = { active: 10, pending: 0, locked: 0, earned: 30, spent: 20, expired: 0 };
const facts = {
  wallets: { points: wallet },
  tier: { id: 'gold', name: 'Gold', level: 2 },
  metrics: {
    transaction_count: 3,
    total_spending: 40,
    points_earned: 30,
    referrals_completed: 0,
    days_since_last_transaction: null,
  },
  now,
  timeZone: 'UTC',
} as unknown as Facts;

function holds(condition: Condition, more: Partial<Situation> = {}): boolean {
  const situation: Situation = {
    facts,
    evaluate: () => false,
    measured: new Map(),
    segmentIds: new Set(),
    ...more,
  };
  return failedCondition({ conditions: [condition] }, situation) === null;
}

describe('conditions', () => {
  test.each([
    ['eq', [false, true, false]],
    ['neq', [true, false, true]],
    ['gt', [true, false, false]],
    ['gte', [true, true, false]],
    ['lt', [false, false, true]],
    ['lte', [false, true, true]],
  ] as [RuleOperator, boolean[]][])('%s compares with 9, 10 and 11', (operator, expected) => {
    const answers = [9, 10, 11].map((value) =>
      holds({ type: 'wallet_balance', wallet_type_code: 'points', operator, value }),
    );
    expect(answers).toEqual(expected);
  });

  test('all have to hold, and the first that does not is named', () => {
    const conditions: Condition[] = [
      { type: 'tier', tier_id: 'gold' },
      { type: 'tier', tier_id: 'silver' },
      { type: 'segment', segment_id: 's' },
    ];
    const situation = {
      facts,
      evaluate: () => true,
      measured: new Map(),
      segmentIds: new Set<string>(),
    };
    expect(failedCondition({ conditions }, situation)).toMatchObject({ index: 1 });
    expect(failedCondition({ conditions: [] }, situation)).toBeNull();
  });

  test('on what is not known never hold', () => {
    for (const operator of ['eq', 'neq', 'gt', 'lt'] as const)
      expect(
        holds({
          type: 'client_metric',
          metric: 'days_since_last_transaction',
          operator,
          value: 3,
        }),
      ).toBe(false);
  });

  test('over a period ask for its own figure', () => {
    const condition = {
      type: 'client_metric',
      metric: 'transaction_count',
      period_days: 30,
      operator: 'gte',
      value: 2,
    } as const;
    expect(questionsOf({ conditions: [condition, condition] })).toHaveLength(1);
    expect(holds(condition, { measured: new Map([[keyOf(condition), 1]]) })).toBe(false);
    expect(holds(condition, { measured: new Map([[keyOf(condition), 2]]) })).toBe(true);
  });

  test('on points earned may name a wallet', () => {
    const asked = { type: 'client_metric', metric: 'points_earned', operator: 'eq' } as const;
    expect(holds({ ...asked, wallet_type_code: 'points', value: 30 })).toBe(true);
    expect(holds({ ...asked, wallet_type_code: 'other', value: 0 })).toBe(true);
  });

  test('as formulas must be true, not just something', () => {
    const condition: Condition = { type: 'expression', expression: 'x' };
    expect(holds(condition, { evaluate: () => true })).toBe(true);
    expect(holds(condition, { evaluate: () => 1 })).toBe(false);
  });
});

describe('a plan', () => {
  const earn = {
    type: 'earn_points',
    wallet_type_code: 'points',
    amount_type: 'expression',
    amount_expression: 'x',
  } as const;
  const award = (value: unknown) =>
    planEffects({ effects: [earn], expiry_override: null }, () => value).points;

  test.each([
    [12, 12],
    [0.3 * 3, 0.9],
    [1.23456, 1.2345],
    [0, 0],
  ])('awards what the formula gives, %p, rounded down: %p', (value, points) => {
    expect(award(value)).toBe(toUnits(points));
  });

  test.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY], [1e12], [1e300], ['5'], [null]])(
    'fails on %p',
    (value) => {
      expect(() => award(value)).toThrow(Unusable);
    },
  );

  test('fails on more points than an amount can be, of one effect or of all together', () => {
    const fixed = { ...earn, amount_type: 'fixed', amount: 60_000_000_000 } as const;
    const rule = { effects: [fixed, fixed], expiry_override: null };
    expect(() => planEffects(rule, () => null)).toThrow(Unusable);
    expect(planEffects({ ...rule, effects: [fixed] }, () => null).points).toBe(
      toUnits(60_000_000_000),
    );
  });

  test.each([
    ['email', 'bad'],
    ['email', `${'a'.repeat(250)}@example.com`],
    ['birth_date', '1991-13-45'],
    ['birth_date', 'not a date'],
    ['first_name', 'x'.repeat(256)],
    ['phone', '1'.repeat(51)],
    ['last_name', { first: 'x' }],
    ['first_name', 'two\nlines'],
    ['source', 'x'.repeat(51)],
    ['marketing_consent', 'yes'],
    ['marketing_consent', null],
    ['shoe', 'null \u0000'],
  ])('fails on a value for %s that the API would refuse', (field_name, value) => {
    const effect = { type: 'update_client_field', field_name, value_expression: 'x' } as const;
    expect(() => planEffects({ effects: [effect], expiry_override: null }, () => value)).toThrow(
      Unusable,
    );
  });

  test.each([
    ['email', 'ada@example.com'],
    ['birth_date', '1992-02-29'],
    ['first_name', null],
    ['phone', 48_501_234_567],
    ['shoe', 'any custom field'],
    ['source', 'spring fair'],
    ['marketing_consent', true],
  ])('takes a value for %s that the API would take', (field_name, value) => {
    const effect = { type: 'update_client_field', field_name, value_expression: 'x' } as const;
    const { effects } = planEffects({ effects: [effect], expiry_override: null }, () => value);
    expect(effects).toMatchObject([{ field_name, value }]);
  });

  test('adds up what it awards and carries the override of expiry', () => {
    const fixed = { ...earn, amount_type: 'fixed', amount: 2.5 } as const;
    const { effects, points } = planEffects(
      { effects: [fixed, fixed], expiry_override: { expiry_days: 7 } },
      () => null,
    );
    expect(points).toBe(toUnits(5));
    expect(effects).toMatchObject([{ expiry_days: 7, pending_days: null }, {}]);
  });
});

describe('an execution ends', () => {
  const done = { type: 'earn_points', status: 'applied', points: 5 } as const;
  const failed = { type: 'give_reward', status: 'failed', reason: 'out of coupons' } as const;
  const left = { type: 'send_push', status: 'skipped', reason: 'no_marketing_consent' } as const;

  test('as its effects did', () => {
    expect(endOf([done, left])).toEqual({ status: 'success', errorMessage: null });
    expect(endOf([done, failed, { type: 'send_push', status: 'not_run' }])).toEqual({
      status: 'failed',
      errorMessage: 'give_reward: out of coupons',
    });
    expect(endOf([left])).toEqual({ status: 'skipped', errorMessage: 'no_marketing_consent' });
    expect(endOf([])).toEqual({ status: 'success', errorMessage: null });
  });

  test('with the points that were really credited', () => {
    const taken = { type: 'deduct_points', status: 'applied', points: 3 } as const;
    const notRun = { ...done, status: 'not_run', points: 7 } as const;
    expect(pointsAwarded([done, taken, failed, notRun])).toBe(toUnits(5));
  });
});

describe('dates', () => {
  test('of birth are counted in whole years', () => {
    const today = localTime(now, 'UTC');
    expect(ageOn(today, dayNamed('1990-01-15')!)).toBe(36);
    expect(ageOn(today, dayNamed('1990-01-16')!)).toBe(35);
    const ageOfLeapling = (day: string) => ageOn(dayNamed(day)!, dayNamed('2000-02-29')!);
    expect(['2018-02-27', '2018-02-28', '2020-02-28', '2020-02-29'].map(ageOfLeapling)).toEqual([
      17, 18, 19, 20,
    ]);
    expect(dayNamed('unknown')).toBeNull();
  });

  test('of birth come round once a year, those of 29 February on the 28th', () => {
    const today = localTime(now, 'UTC');
    expect(isAnniversary(today, dayNamed('1990-01-15')!)).toBe(true);
    expect(isAnniversary(today, dayNamed('1990-01-14')!)).toBe(false);
    const leapling = (day: string) => isAnniversary(dayNamed(day)!, dayNamed('2000-02-29')!);
    expect([leapling('2023-02-28'), leapling('2024-02-28'), leapling('2024-02-29')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('are whole days apart', () => {
    expect(daysFrom(new Date('2026-01-14T10:00:01.000Z'), now)).toBe(0);
    expect(daysFrom(new Date('2026-01-14T10:00:00.000Z'), now)).toBe(1);
    expect(daysFrom(now, new Date('2026-01-13T10:00:00.000Z'))).toBe(-2);
  });
});
