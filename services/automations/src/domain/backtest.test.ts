import { toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import { EMPTY_TALLY, type Tally, withMatch } from './backtest';

const DAY_MS = 86_400_000;
const match = (number: number, at: string, points: number) => ({
  eventId: `e${number}`,
  clientId: `c${number}`,
  at: new Date(at),
  points: toUnits(points),
});

test('a tally counts nothing before the first match', () => {
  const { days, sample, ...numbers } = EMPTY_TALLY;
  expect([days, sample]).toEqual([[], []]);
  expect(Object.values(numbers)).toEqual([0, 0, 0, 0]);
});

test('matches are counted in all and by the day, and each is shown with what it was given', () => {
  const matches = [
    match(1, '2026-03-01T23:59:59.000Z', 0.1),
    match(2, '2026-03-01T23:59:59.999Z', 0.2),
    match(3, '2026-03-02T00:00:00.000Z', 5),
  ];
  const before: Tally = { ...EMPTY_TALLY, events: 9, clients: 3 };
  expect(matches.reduce(withMatch, before)).toEqual({
    events: 9,
    clients: 3,
    matches: 3,
    points: toUnits(5.3),
    days: [
      { date: '2026-03-01', matches: 2, points: toUnits(0.3) },
      { date: '2026-03-02', matches: 1, points: toUnits(5) },
    ],
    sample: [
      {
        event_id: 'e1',
        client_id: 'c1',
        event_timestamp: '2026-03-01T23:59:59.000Z',
        points: 0.1,
      },
      {
        event_id: 'e2',
        client_id: 'c2',
        event_timestamp: '2026-03-01T23:59:59.999Z',
        points: 0.2,
      },
      { event_id: 'e3', client_id: 'c3', event_timestamp: '2026-03-02T00:00:00.000Z', points: 5 },
    ],
  });
});

test('clients are given more together than one amount may be', () => {
  const much = 100_000_000_000;
  const tally = [1, 2]
    .map((number) => match(number, '2026-03-01', much))
    .reduce(withMatch, EMPTY_TALLY);
  expect(tally.points).toBe(2 * toUnits(much));
  expect(tally.days).toMatchObject([{ points: 2 * toUnits(much) }]);
});

test('only the first fifty are shown, and all are counted', () => {
  const all = Array.from({ length: 52 }, (_, number) => match(number, '2026-03-01', 1));
  const tally = all.reduce(withMatch, EMPTY_TALLY);
  expect(tally.matches).toBe(52);
  expect(tally.sample.map(({ event_id }) => event_id)).toEqual(
    all.slice(0, 50).map(({ eventId }) => eventId),
  );
});

test('the days add up to the whole, each stands once and they stand in order', () => {
  const happened = fc.record({
    later: fc.integer({ min: 0, max: 2 * DAY_MS }),
    points: fc.integer({ min: 0, max: 10_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(happened, { maxLength: 60 }), (all) => {
      let at = Date.parse('2026-02-27T12:00:00.000Z');
      let tally = EMPTY_TALLY;
      for (const { later, points } of all) {
        at += later;
        tally = withMatch(tally, { ...match(1, '2026-03-01', points / 10_000), at: new Date(at) });
      }
      const sum = (of: 'matches' | 'points') => tally.days.reduce((so, day) => so + day[of], 0);
      expect([sum('matches'), tally.matches]).toEqual([all.length, all.length]);
      expect(sum('points')).toBe(tally.points);
      const dates = tally.days.map(({ date }) => date);
      expect(dates).toEqual([...new Set(dates)].sort());
    }),
  );
});
