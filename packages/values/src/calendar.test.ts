import { bucketOf, bucketsBetween, daysAfter } from './calendar';

describe('time buckets', () => {
  test('begin on Monday and on the first', () => {
    expect(bucketOf('2026-01-04T23:59:59.999Z', 'week')).toBe('2025-12-29');
    expect(bucketOf('2026-01-05', 'week')).toBe('2026-01-05');
    expect(bucketOf('2024-02-29', 'month')).toBe('2024-02-01');
  });

  test('leave no gap, over leap days and years', () => {
    expect(bucketsBetween('2024-02-28', '2024-03-01', 'day')).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    expect(bucketsBetween('2025-12-31', '2026-02-01', 'month')).toEqual([
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
    ]);
    expect(bucketsBetween('2026-01-02', '2026-01-01', 'day')).toEqual([]);
    expect(bucketsBetween('0001-01-01', '2026-01-01', 'day')).toHaveLength(3_660);
  });
});

test.each([
  ['2024-02-28', 2, '2024-03-01'],
  ['2026-01-01', -1, '2025-12-31'],
  ['2026-01-01', 0, '2026-01-01'],
])('%s and %p days is %s', (day, days, then) => {
  expect(daysAfter(day, days)).toBe(then);
});
