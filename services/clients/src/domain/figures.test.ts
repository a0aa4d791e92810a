import { figureOf, joinFigures } from './figures';
import { growthPercent } from './growth';
import { lookBack } from './time-window';

describe('figures', () => {
  const a = { count: 2, valued: 1, sum: 1_000, min: 1_000, max: 1_000 };
  const b = { count: 3, valued: 3, sum: -4_000, min: -6_000, max: 1_500 };

  test('of groups are those of all their events', () => {
    const joined = joinFigures([a, b]);
    expect(joined).toEqual({ count: 5, valued: 4, sum: -3_000, min: -6_000, max: 1_500 });
    expect(['count', 'sum', 'avg', 'min', 'max'].map((name) => figureOf(name, joined))).toEqual([
      5, -0.3, -0.075, -0.6, 0.15,
    ]);
  });

  test('of many events are known beyond the range of one amount', () => {
    const full = { count: 1, valued: 1, sum: 1e15, min: 1e15, max: 1e15 };
    const joined = joinFigures([full, full, full]);
    expect(['sum', 'avg', 'max'].map((name) => figureOf(name, joined))).toEqual([3e11, 1e11, 1e11]);
  });

  test('of nothing are 0, or null where there is nothing to take them of', () => {
    const nothing = joinFigures([]);
    expect(['count', 'sum', 'avg', 'min', 'max'].map((name) => figureOf(name, nothing))).toEqual([
      0,
      0,
      null,
      null,
      null,
    ]);
  });
});

describe('a window', () => {
  const now = new Date('2026-01-15T10:00:00.000Z');

  test('is the dates given, else the days, else the name', () => {
    const everything = { time_window: 'year', custom_days: 2, from_date: '2026-01-01T00:00:00Z' };
    expect(lookBack(everything, now)).toEqual({ from: new Date('2026-01-01'), to: null });
    expect(lookBack({ time_window: 'year', custom_days: 2 }, now).from).toEqual(
      new Date('2026-01-13T10:00:00.000Z'),
    );
    expect(lookBack({ time_window: 'week' }, now)).toEqual({
      from: new Date('2026-01-08T10:00:00.000Z'),
      to: now,
    });
    expect(lookBack({ time_window: 'all_time' }, now)).toEqual({ from: null, to: null });
    expect(lookBack({}, now)).toEqual({ from: null, to: null });
  });
});

test('growth is in percent of the bucket before', () => {
  expect(growthPercent(4, 5)).toBe(25);
  expect(growthPercent(3, 1)).toBe(-66.67);
  expect(growthPercent(0, 5)).toBeNull();
  expect(growthPercent(undefined, 5)).toBeNull();
});
