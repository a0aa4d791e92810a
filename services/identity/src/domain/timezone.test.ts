import { requireTimezone } from './timezone';

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['EUROPE/KYIV', 'Europe/Kyiv'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['america/argentina/buenos_aires', 'America/Argentina/Buenos_Aires'],
  ['US/Eastern', 'US/Eastern'],
])('a workspace that gives %s as its time zone reads %s', (given, kept) => {
  expect(requireTimezone(given)).toBe(kept);
  expect(requireTimezone(kept)).toBe(kept);
});

test.each(['', '+02:00', 'Mars/Olympus', 'Europe', '1'])('%j names no time zone', (name) => {
  expect(() => requireTimezone(name)).toThrow('IANA time zone');
});
