import fc from 'fast-check';
import { momentNamed } from './moment';

test('tests do not stand in UTC', () => {
  expect(new Date('2026-10-25T00:00').toISOString()).not.toBe('2026-10-25T00:00:00.000Z');
});

test.each([
  ['2026-10-25T02:30:00', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25 02:30', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25', '2026-10-25T00:00:00.000Z'],
  [' 0050-10-25 ', '0050-10-25T00:00:00.000Z'],
  ['2026-10-25 ', '2026-10-25T00:00:00.000Z'],
  ['0050-01-01', '0050-01-01T00:00:00.000Z'],
  ['2026-10', '2026-10-01T00:00:00.000Z'],
  ['10-25-2026', '2026-10-25T00:00:00.000Z'],
  ['10/25/2026 2:30 PM', '2026-10-25T14:30:00.000Z'],
  ['Day 2026-10-25', '2026-10-25T00:00:00.000Z'],
  ['Day 2026-10-25 02:30', '2026-10-25T02:30:00.000Z'],
  ['Oct 25, 2026 02:30', '2026-10-25T02:30:00.000Z'],
  ['Oct 25, 2026 02:30 (EST)', '2026-10-25T02:30:00.000Z'],
  ['Oct 25, 2026 2:30 AM', '2026-10-25T02:30:00.000Z'],
])('%s, which names no zone, is that moment in UTC on a machine of any', (text, moment) => {
  expect(momentNamed(text).toISOString()).toBe(moment);
});

test.each([
  ['2026-10-25T02:30:00Z', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25 02:30 Z', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25T02:30:00.5+02:00', '2026-10-25T00:30:00.500Z'],
  ['2026-10-25T02:30:00+0200', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25 02:30:00.123+02', '2026-10-25T00:30:00.123Z'],
  ['2026-10-25 02:30 -11', '2026-10-25T13:30:00.000Z'],
  ['2026-10-25 02:30 -3', '2026-10-25T05:30:00.000Z'],
  ['Oct 25, 2026 2:30 PM +0200', '2026-10-25T12:30:00.000Z'],
  ['Oct 25, 2026 02:30 EST', '2026-10-25T07:30:00.000Z'],
  ['Oct 25, 2026 02:30 PDT', '2026-10-25T09:30:00.000Z'],
  ['Oct 25, 2026 UTC', '2026-10-25T00:00:00.000Z'],
  ['Sun Oct 25 02:30:00 EST 2026', '2026-10-25T07:30:00.000Z'],
  ['Sun Oct 25 02:30:00 +0200 2026', '2026-10-25T00:30:00.000Z'],
  ['Sun, 25 Oct 2026 02:30:00 GMT', '2026-10-25T02:30:00.000Z'],
  ['Sun Oct 25 2026 02:30:00 GMT-0400 (EDT)', '2026-10-25T06:30:00.000Z'],
])('%s is the moment in the zone that it names', (text, moment) => {
  expect(momentNamed(text).toISOString()).toBe(moment);
});

test('a moment is the same in whatever way its zone is written', () => {
  const at = fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true });
  const hours = fc.integer({ min: -11, max: 13 });
  fc.assert(
    fc.property(at, hours, (date, ahead) => {
      const moment = new Date(date.setUTCMilliseconds(0));
      const local = new Date(moment.getTime() + ahead * 3_600_000);
      const offset = `${ahead < 0 ? '-' : '+'}${String(Math.abs(ahead)).padStart(2, '0')}`;
      const iso = local.toISOString().slice(0, -5);
      const [weekday, day, month, year, time] = local.toUTCString().replace(',', '').split(' ');
      const ways = [
        `${iso}${offset}:00`,
        `${iso}${offset}00`,
        `${iso.replace('T', ' ')}${offset}`,
        `${weekday}, ${day} ${month} ${year} ${time} ${offset}00`,
        `${weekday} ${month} ${day} ${year} ${time} GMT${offset}00 (Somewhere Standard Time)`,
        `${weekday} ${month} ${day} ${time} ${offset}00 ${year}`,
        String(moment),
      ];
      expect(ways.map((way) => momentNamed(way).getTime())).toEqual(
        ways.map(() => moment.getTime()),
      );
    }),
    { seed: 25 },
  );
});

test('what is no moment is none', () => {
  const days = ['2026-02-30', '2026-02-29T10:00:00Z', '2026-04-31 10:00'];
  for (const text of ['', 'soon', '2026-13-01', '2026-10-25T99:00', '25-10-2026', ...days]) {
    expect(momentNamed(text).getTime()).toBeNaN();
  }
});
