import { birthdayIn, durationMs, momentAfter } from './moments';

const MONDAY = new Date('2026-11-23T10:00:00Z');

test.each([
  ['next tuesday 09:00', '2026-11-24T09:00:00.000Z'],
  ['next monday 09:00', '2026-11-30T09:00:00.000Z'],
  ['next monday 11:30', '2026-11-23T11:30:00.000Z'],
  ['next sunday', '2026-11-29T00:00:00.000Z'],
  ['2027-02-01T00:00:00Z', '2027-02-01T00:00:00.000Z'],
])('%s, from a Monday morning, is %s', (said, expected) => {
  expect(momentAfter(said, MONDAY)?.toISOString()).toBe(expected);
});

test.each(['next noday', 'soon', '7', ''])('%p is no moment', (said) => {
  expect(momentAfter(said, MONDAY)).toBeNull();
});

test.each([
  ['366d', 366 * 86_400_000],
  ['2w', 14 * 86_400_000],
  ['12h', 43_200_000],
  ['30m', 1_800_000],
  ['1y', null],
  ['-1d', null],
])('%s lasts %s ms', (said, expected) => {
  expect(durationMs(said)).toBe(expected);
});

test.each([
  ['in 3d', '1992-11-26'],
  ['in 2w', '1992-12-07'],
  ['1990-02-28', null],
])('a birthday %s, from a Monday in November, is %s', (said, expected) => {
  expect(birthdayIn(said, MONDAY)).toBe(expected);
});
