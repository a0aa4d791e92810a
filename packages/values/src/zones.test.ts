import fc from 'fast-check';
import { localTime, startOfDay } from './zones';

const HOUR_MS = 3_600_000;

test.each([
  ['2026-11-22T05:25:00Z', 'America/Los_Angeles', 2026, 11, 21, 21, 6],
  ['2026-11-21T23:05:00Z', 'Europe/Berlin', 2026, 11, 22, 0, 7],
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', 2026, 3, 29, 1, 7],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', 2026, 3, 29, 3, 7],
  ['2026-11-22T11:00:00Z', 'Pacific/Kiritimati', 2026, 11, 23, 1, 1],
  ['2026-12-31T23:30:00Z', 'Europe/Berlin', 2027, 1, 1, 0, 5],
  ['2026-01-05T18:30:00Z', 'Asia/Kolkata', 2026, 1, 6, 0, 2],
])('%s is in %s %p-%p-%p, hour %p, weekday %p', (at, zone, year, month, day, hour, weekday) => {
  expect(localTime(new Date(at), zone)).toEqual({ year, month, day, hour, weekday });
});

test.each([
  ['2026-11-22', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['2026-11-22', 'Asia/Kathmandu', '2026-11-21T18:15:00.000Z'],
  ['2026-11-22', 'America/Los_Angeles', '2026-11-22T08:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  // Of the two midnights the first: clocks go back from 1:00.
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  // Midnight is left out: clocks go from 24:00 to 1:00.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  // The whole day of 30 December was left out.
  ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['1969-12-31', 'America/New_York', '1969-12-31T05:00:00.000Z'],
])('%s begins in %s at %s', (text, zone, begins) => {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  expect(startOfDay({ year, month, day }, zone).toISOString()).toBe(begins);
});

test('in every zone a day begins where the one before it ends, and holds its moments', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Africa/Cairo', 'UTC'];
  const at = fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2030-01-01'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(at, fc.constantFrom(...zones), (moment, zone) => {
      const begins = startOfDay(localTime(moment, zone), zone);
      const { year, month, day } = localTime(begins, zone);
      expect(localTime(moment, zone)).toMatchObject({ year, month, day });
      expect(localTime(new Date(begins.getTime() - 1), zone).day).not.toBe(day);
      const ago = (moment.getTime() - begins.getTime()) / HOUR_MS;
      expect(ago >= 0 && ago < 25).toBe(true);
    }),
    { seed: 26 },
  );
});
