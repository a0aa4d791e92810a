import { toUnits } from '@laurel/values/amount';
import { addOnDay, NO_ACTIVITY, NOTHING } from './activity';
import { betterMeasure } from './evaluate';
import type { Programme, Rung } from './programme';
import { progressOf, shownMetrics } from './progress';

const now = new Date('2026-05-04T10:00:00.000Z');
const tier = (id: string, sort_order: number, condition_values = {}): Rung => ({
  id,
  sort_order,
  kind: 'auto',
  condition_values,
});
const bronze = tier('bronze', 0);
const gold = tier('gold', 2, { total_earned: 200, total_spending: 50 });
const programme: Programme<Rung> = {
  active: true,
  conditions: [{ type: 'total_earned' }, { type: 'total_spending' }],
  lookbackDays: 0,
  tiers: [bronze, { ...tier('vip', 1), kind: 'exclusive' }, gold],
};
const activity = addOnDay(NO_ACTIVITY, '2026-05-04', {
  ...NOTHING,
  earned: { points: toUnits(50), stars: toUnits(0.5) },
  spending: toUnits(40),
  transactions: 2,
});
const valueFor = betterMeasure(activity, programme, now);

test('follows the condition furthest from its threshold, counted from 0, past exclusive tiers', () => {
  expect(progressOf(programme, bronze, valueFor)).toEqual({
    current: bronze,
    next: gold,
    toNext: 0.2525,
    metric: 'total_earned',
    value: 50.5,
    target: 200,
  });
});

test('is complete at the top', () => {
  const top = { current: gold, next: null, toNext: 1, metric: null, value: null, target: null };
  expect(progressOf(programme, gold, valueFor)).toEqual(top);
});

test('starts at the lowest tier for somebody without one', () => {
  expect(progressOf(programme, null, valueFor)).toMatchObject({ next: bronze, toNext: 1 });
});

test('is never below 0, whatever was refunded', () => {
  const refunded = addOnDay(activity, '2026-05-04', { ...NOTHING, spending: toUnits(-100) });
  const progress = progressOf(programme, bronze, betterMeasure(refunded, programme, now));
  expect(progress).toMatchObject({ toNext: 0, metric: 'total_spending', value: -60 });
});

test('metrics are shown as the conditions count them', () => {
  const all = { total_earned: 50.5, total_spending: 40, transaction_count: 2 };
  expect(shownMetrics([], valueFor)).toEqual(all);
  const stars = [{ type: 'total_earned' as const, wallet_type_code: 'stars' }];
  expect(shownMetrics(stars, valueFor)).toEqual({ ...all, total_earned: 0.5 });
});

test('is complete on a condition that is met, and follows the other', () => {
  const spent = addOnDay(activity, '2026-05-04', { ...NOTHING, spending: toUnits(500) });
  const progress = progressOf(programme, bronze, betterMeasure(spent, programme, now));
  expect(progress).toMatchObject({ toNext: 0.2525, metric: 'total_earned' });
  const earned = addOnDay(activity, '2026-05-04', { ...NOTHING, earned: { points: toUnits(500) } });
  expect(progressOf(programme, bronze, betterMeasure(earned, programme, now))).toEqual({
    current: bronze,
    next: gold,
    toNext: 0.8,
    metric: 'total_spending',
    value: 40,
    target: 50,
  });
});

test('is never above 1, and a threshold of 0 is met by everyone', () => {
  const easy = tier('easy', 3, { total_earned: 10 });
  const nothing = tier('nothing', 3, { total_earned: 0 });
  for (const [next, target] of [
    [easy, 10],
    [nothing, 0],
  ] as const) {
    const rules = { ...programme, tiers: [bronze, next] };
    expect(progressOf(rules, bronze, valueFor)).toMatchObject({
      toNext: 1,
      metric: 'total_earned',
      value: 50.5,
      target,
    });
  }
  const poor = betterMeasure(NO_ACTIVITY, programme, now);
  const rules = { ...programme, tiers: [bronze, nothing] };
  expect(progressOf(rules, bronze, poor)).toMatchObject({ toNext: 1, value: 0 });
});

test('counts purchases one by one', () => {
  const regular = tier('regular', 3, { transaction_count: 8 });
  const rules: Programme<Rung> = {
    ...programme,
    conditions: [{ type: 'transaction_count' }],
    tiers: [regular],
  };
  expect(progressOf(rules, null, valueFor)).toMatchObject({
    toNext: 0.25,
    metric: 'transaction_count',
    value: 2,
    target: 8,
  });
});

test('leads to the lowest tier above, not to those below or beyond', () => {
  const silver = tier('silver', 1, { total_earned: 100 });
  const rules = { ...programme, tiers: [bronze, silver, gold] };
  expect(progressOf(rules, bronze, valueFor).next).toBe(silver);
  expect(progressOf(rules, silver, valueFor).next).toBe(gold);
});

test('of several conditions on one metric, what all of them reach is shown', () => {
  const each = ['points', 'stars'].map((wallet_type_code) => ({
    type: 'total_earned' as const,
    wallet_type_code,
  }));
  expect(shownMetrics(each, valueFor).total_earned).toBe(0.5);
});
