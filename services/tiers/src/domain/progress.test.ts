import { toUnits } from '@laurel/amount';
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
