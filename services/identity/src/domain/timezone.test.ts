import { requireTimezone, timezoneOf } from './timezone';

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
  ['us/eastern', 'US/Eastern'],
  ['US/EAST-INDIANA', 'US/East-Indiana'],
  ['aSIA/kolkata', 'Asia/Kolkata'],
  ['japan', 'Japan'],
  ['etc/utc', 'Etc/UTC'],
  ['etc/gmt-3', 'Etc/GMT-3'],
  ['gmt0', 'GMT0'],
  ['prc', 'PRC'],
  ['nz', 'NZ'],
  ['nz-chat', 'NZ-CHAT'],
  ['w-su', 'W-SU'],
  ['gb-eire', 'GB-Eire'],
  ['america/knox_in', 'America/Knox_IN'],
  ['america/argentina/comodrivadavia', 'America/Argentina/ComodRivadavia'],
  ['australia/nsw', 'Australia/NSW'],
  ['mexico/bajanorte', 'Mexico/BajaNorte'],
  ['europe/isle_of_man', 'Europe/Isle_of_Man'],
  ['africa/dar_es_salaam', 'Africa/Dar_es_Salaam'],
])('a workspace that gives %s as its time zone reads %s', (given, kept) => {
  expect(requireTimezone(given)).toBe(kept);
  expect(requireTimezone(kept)).toBe(kept);
});

test.each([
  ['Us/Eastern', 'US/Eastern'],
  ['US/Eastern', 'US/Eastern'],
  ['Europe/Berlin', 'Europe/Berlin'],
  // What a runtime knew that kept it, and this one does not.
  ['Mars/Olympus', 'Mars/Olympus'],
  [undefined, 'UTC'],
])('a workspace in whose row the zone is %s reads %s', (kept, read) => {
  expect(timezoneOf(kept)).toBe(read);
  expect(timezoneOf(kept)).toBe(read);
});

test.each(['', '+02:00', 'Mars/Olympus', 'Europe', '1'])('%j names no time zone', (name) => {
  expect(() => requireTimezone(name)).toThrow('IANA time zone');
});
