import { bucketsOf, comparedWith, dayAt, daysBetween, spanOf, startOf } from './calendar';

const HOUR_MS = 3_600_000;

test('days begin at the midnight of their zone, and are as long as its clocks make them', () => {
  expect(new Date(startOf('2026-05-20', 'Asia/Kathmandu')).toISOString()).toBe(
    '2026-05-19T18:15:00.000Z',
  );
  const { from, until } = spanOf({ first: '2026-03-29', last: '2026-03-29' }, 'Europe/Berlin');
  expect(until - from).toBe(23 * HOUR_MS);
  expect(dayAt(new Date('2026-05-20T22:30:00Z'), 'Europe/Berlin')).toBe('2026-05-21');
});

test('days end where there are none: before the year 0 there is no text of four digits for them', () => {
  expect(daysBetween({ first: '0000-01-01', last: '0000-01-03' })).toHaveLength(3);
  expect(daysBetween({ first: '0000-01-03', last: '0000-01-01' })).toEqual([]);
  const before = comparedWith({ first: '0000-01-01', last: '0000-01-03' }, 'previous');
  expect(daysBetween({ first: before.first, last: '0000-01-01' }).length).toBeLessThan(100);
});

test('a range is compared with as many days before it, or with the same days of the year before', () => {
  const range = { first: '2024-02-29', last: '2024-03-06' };
  expect(comparedWith(range, 'previous')).toEqual({ first: '2024-02-22', last: '2024-02-28' });
  expect(comparedWith(range, 'year')).toEqual({ first: '2023-02-28', last: '2023-03-06' });
});

test('buckets hold each day of a range once, and nothing outside of it', () => {
  const range = { first: '2026-05-20', last: '2026-06-02' };
  const weeks = bucketsOf(range, 'week', 'UTC');
  expect(weeks.map(({ date, days }) => [date, ...days])).toEqual([
    ['2026-05-18', 0, 5],
    ['2026-05-25', 5, 12],
    ['2026-06-01', 12, 14],
  ]);
  expect(weeks[0]!.from).toBe(Date.UTC(2026, 4, 20));
  expect(weeks.at(-1)!.until).toBe(Date.UTC(2026, 5, 3));
  for (const unit of ['day', 'week', 'month'] as const) {
    const buckets = bucketsOf(range, unit, 'Europe/Berlin');
    const held = buckets.flatMap(({ days: [from, until] }) =>
      Array.from({ length: until - from }, (_, index) => from + index),
    );
    expect(held).toEqual(daysBetween(range).map((_, index) => index));
    expect(buckets.slice(1).map(({ from }) => from)).toEqual(
      buckets.slice(0, -1).map(({ until }) => until),
    );
  }
});
