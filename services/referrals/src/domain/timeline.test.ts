import { fillTimeline, firstDay } from './timeline';

describe('the timeline', () => {
  test('has one row per UTC day, today last, and a zero where nothing happened', () => {
    const from = firstDay(new Date('2026-03-01T23:59:59.999Z'), 3);
    expect(from).toEqual(new Date('2026-02-27T00:00:00.000Z'));
    const counts = {
      created: new Map([['2026-03-01', 4]]),
      completed: new Map([['2026-02-27', 1]]),
    };
    const rows = fillTimeline({ from, days: 3 }, counts);
    expect(rows).toEqual([
      { date: '2026-02-27', created: 0, completed: 1 },
      { date: '2026-02-28', created: 0, completed: 0 },
      { date: '2026-03-01', created: 4, completed: 0 },
    ]);
  });

  test('of one day is today', () => {
    expect(firstDay(new Date('2026-03-01T00:00:00.000Z'), 1)).toEqual(
      new Date('2026-03-01T00:00:00.000Z'),
    );
  });
});
