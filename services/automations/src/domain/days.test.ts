import { localTime } from '@laurel/values/calendar';
import fc from 'fast-check';
import { ageOn, dayNamed, isAnniversary, periodOf } from './days';

const period = (interval: 'day' | 'week' | 'month', at: string, zone: string) => {
  const { from, until } = periodOf(interval, new Date(at), zone);
  return [from.toISOString(), until!.toISOString()];
};

describe('the period that an execution counts for', () => {
  test.each([
    ['day', '2026-11-22T05:25:00Z', 'UTC', '2026-11-22T00:00', '2026-11-23T00:00'],
    ['day', '2026-11-22T05:25:00Z', 'America/Los_Angeles', '2026-11-21T08:00', '2026-11-22T08:00'],
    ['day', '2026-11-22T11:00:00Z', 'Pacific/Kiritimati', '2026-11-22T10:00', '2026-11-23T10:00'],
    ['day', '2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['day', '2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00', '2026-10-25T23:00'],
    // Clocks go from 24:00 to 1:00 at the end of 25 April: midnight is left out.
    ['day', '2026-04-24T12:00:00Z', 'Africa/Cairo', '2026-04-23T22:00', '2026-04-24T21:00'],
    // Clocks go back from 1:00 to midnight: the day begins at the first of the two.
    ['day', '2026-11-01T12:00:00Z', 'America/Havana', '2026-11-01T04:00', '2026-11-02T05:00'],
    ['day', '2026-11-22T05:25:00Z', 'Asia/Kathmandu', '2026-11-21T18:15', '2026-11-22T18:15'],
    ['week', '2026-11-22T23:30:00Z', 'UTC', '2026-11-16T00:00', '2026-11-23T00:00'],
    ['week', '2026-11-22T23:30:00Z', 'Europe/Berlin', '2026-11-22T23:00', '2026-11-29T23:00'],
    ['month', '2026-12-31T23:30:00Z', 'UTC', '2026-12-01T00:00', '2027-01-01T00:00'],
    ['month', '2026-12-31T23:30:00Z', 'Europe/Berlin', '2026-12-31T23:00', '2027-01-31T23:00'],
  ] as const)('%s of %s in %s is from %s to %s', (interval, at, zone, from, until) => {
    expect(period(interval, at, zone)).toEqual([`${from}:00.000Z`, `${until}:00.000Z`]);
  });

  test('holds its moment, joins the next one, and begins with a new day, in every zone', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'];
    const span = { min: new Date('2024-01-01'), max: new Date('2028-01-01'), noInvalidDate: true };
    fc.assert(
      fc.property(
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        fc.date(span),
        fc.constantFrom(...zones),
        (interval, at, zone) => {
          const { from, until } = periodOf(interval, at, zone);
          expect(from <= at && at < until!).toBe(true);
          expect(periodOf(interval, until!, zone).from).toEqual(until);
          const [before, first] = [new Date(from.getTime() - 1), from].map((moment) =>
            localTime(moment, zone),
          );
          expect(before!.day).not.toBe(first!.day);
          if (interval === 'week') expect(first!.weekday).toBe(1);
          if (interval === 'month') expect(first!.day).toBe(1);
        },
      ),
      { numRuns: 300, seed: 11 },
    );
  });

  test('is for an hour the sixty minutes up to the moment', () => {
    const { from, until } = periodOf('hour', new Date('2026-01-15T10:30:00.000Z'), 'Asia/Kolkata');
    expect([from.toISOString(), until]).toEqual(['2026-01-15T09:30:00.001Z', null]);
  });
});

test.each(['2000-02-29T00:00', 'on 2000-02-29', '2000-2-29', ''])('%p names no day', (text) => {
  expect(dayNamed(text)).toBeNull();
});

describe('somebody born on a day', () => {
  test.each([
    ['1990-01-15', '2026-05-01', 36],
    ['1990-05-10', '2026-01-20', 35],
    ['1990-05-10', '2026-05-09', 35],
    ['1990-05-10', '2026-05-10', 36],
    ['2000-02-29', '2100-02-28', 100],
  ])('%s is on %s aged %p', (born, today, age) => {
    expect(ageOn(dayNamed(today)!, dayNamed(born)!)).toBe(age);
  });

  test.each([
    ['1990-01-15', '2026-02-15', false],
    ['1990-01-29', '2023-01-29', true],
    ['1990-01-29', '2023-01-28', false],
    ['1990-02-10', '2023-02-10', true],
    ['1996-02-29', '2000-02-29', true],
    ['1996-02-29', '2000-02-28', false],
    ['1996-02-29', '2100-02-28', true],
  ])('%s has on %s a birthday: %p', (born, today, expected) => {
    expect(isAnniversary(dayNamed(today)!, dayNamed(born)!)).toBe(expected);
  });

  test('has one birthday in every year, on which the age goes up by one', () => {
    const birth = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    const dayOf = (at: Date) => dayNamed(at.toISOString().slice(0, 10))!;
    fc.assert(
      fc.property(birth, fc.integer({ min: 2100, max: 2400 }), (at, year) => {
        const born = dayOf(at);
        const days = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)));
        const birthdays = days.filter(
          (day) => day.getUTCFullYear() === year && isAnniversary(dayOf(day), born),
        );
        expect(birthdays).toHaveLength(1);
        const eve = new Date(birthdays[0]!.getTime() - 1);
        const ages = [eve, birthdays[0]!].map((day) => ageOn(dayOf(day), born));
        expect(ages).toEqual([year - born.year - 1, year - born.year]);
      }),
      { seed: 12 },
    );
  });
});
