import {
  type AttemptOutcome,
  asksForPause,
  isGone,
  isTaken,
  NOT_SENT,
  nextAttemptAt,
  parseRetryAfter,
  RETRY_DELAYS_MS,
} from './retry';

const now = new Date('2026-03-01T12:00:00.000Z');
const waitAfter = (failures: number, retryAfterMs: number | null = null, dice = 0) => {
  const at = nextAttemptAt({ failures, now, retryAfterMs, dice });
  return at === null ? null : at.getTime() - now.getTime();
};
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

it('tries at once, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then never again', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((failures) => waitAfter(failures))).toEqual([
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    10 * HOUR,
    null,
  ]);
});

it('spreads only long waits, and never shortens one', () => {
  RETRY_DELAYS_MS.forEach((scheduled, index) => {
    const wait = waitAfter(index + 1, null, 0.999)!;
    expect(wait).toBeGreaterThanOrEqual(scheduled);
    expect(wait).toBeLessThanOrEqual(scheduled * 1.05);
  });
  expect(waitAfter(1, null, 0.999)).toBe(5 * SECOND);
  expect(waitAfter(2, null, 0.5)).toBe(5 * MINUTE * 1.025);
});

it('waits as long as the receiver asks, between the schedule and a day', () => {
  expect(waitAfter(1, 60 * SECOND)).toBe(MINUTE);
  expect(waitAfter(2, 1 * SECOND)).toBe(5 * MINUTE);
  expect(waitAfter(1, 1_000 * HOUR)).toBe(24 * HOUR);
  expect(waitAfter(8, 60 * SECOND)).toBeNull();
});

it.each([
  ['120', 120 * SECOND],
  [' 5 ', 5 * SECOND],
  ['0', 0],
  ['999999999', 24 * HOUR],
  ['Sun, 01 Mar 2026 12:01:00 GMT', MINUTE],
  ['Sun, 01 Mar 2026 11:00:00 GMT', null],
  ['Sun, 01 Mar 2026 12:00:00 GMT', null],
  ['Sun Mar  1 12:01:00 2026', MINUTE],
  ['2026-03-02', null],
  ['-5', null],
  ['1e3', null],
  ['soon', null],
  ['', null],
  [undefined, null],
  [['1', '2'], null],
])('reads Retry-After %j as %j', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected);
});

const outcome = (status: number | null, retryAfterMs: number | null = null): AttemptOutcome => ({
  ...NOT_SENT,
  status,
  retryAfterMs,
});

it.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [500, false],
  [null, false],
])('takes the answer %p for taken: %p', (status, taken) => {
  expect(isTaken(outcome(status))).toBe(taken);
});

it('takes 410 alone for the last word of a receiver', () => {
  expect([404, 410, 411, null].map((status) => isGone(outcome(status)))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

it.each([
  [429, 5, true],
  [503, 0, true],
  [429, null, false],
  [503, null, false],
  [500, 5, false],
  [null, 5, false],
])('pauses for everybody after %p with Retry-After %p: %p', (status, wait, pauses) => {
  expect(asksForPause(outcome(status, wait))).toBe(pauses);
});

it('tells of what a sandbox would send that it was not sent, and of no receiver', () => {
  expect(NOT_SENT).toEqual({
    status: null,
    error: 'not sent: a sandbox sends no webhooks',
    durationMs: 0,
    retryAfterMs: null,
    response: null,
  });
});
