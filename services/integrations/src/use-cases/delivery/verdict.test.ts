import { type AttemptOutcome, NOT_SENT } from '../../domain/retry';
import type { WebhookRow } from '../../store/webhooks';
import { consequenceOf, withConsequence } from './verdict';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-05-04T12:00:00.000Z');
const at = (afterMs: number) => new Date(START + afterMs);
const well = { active: true, failing_since: null, disabled_reason: null } as unknown as WebhookRow;
const answered = (status: number, retryAfterMs: number | null = null): AttemptOutcome => ({
  status,
  error: status < 300 ? null : 'no',
  durationMs: 1,
  retryAfterMs,
  response: null,
});

type Attempt = readonly [afterMs: number, outcome: AttemptOutcome, isLast?: boolean];

/** An endpoint after attempts at these moments, each with its answer. */
function after(attempts: readonly Attempt[]) {
  let webhook = well;
  for (const [afterMs, outcome, isLast = false] of attempts) {
    const tried = { now: at(afterMs), disableAfterMs: 5 * DAY, isLast };
    const consequence = consequenceOf(webhook, outcome, tried);
    if (consequence) webhook = withConsequence(webhook, consequence);
  }
  return webhook;
}
const failures = (...moments: number[]) => moments.map((each) => [each, answered(500)] as const);
/** The last attempt that a delivery has. */
const givingUp = (afterMs: number): Attempt => [afterMs, answered(500), true];

test('an endpoint that fails for five days, however far apart its retries are, is given up', () => {
  const often = Array.from({ length: 13 }, (_, index) => index * 10 * HOUR);
  expect(after(failures(...often.slice(0, 12)))).toMatchObject({
    active: true,
    failing_since: at(0),
  });
  expect(after(failures(...often))).toMatchObject({ active: false, disabled_reason: 'failing' });
  const daily = failures(0, DAY + HOUR, 2 * DAY + 2 * HOUR, 3 * DAY + 3 * HOUR, 4 * DAY + 4 * HOUR);
  expect(after([...daily, ...failures(5 * DAY + 5 * HOUR)])).toMatchObject({ active: false });
});

test('one that failed once, and was sent nothing for days, is not given up by its next failure', () => {
  const again = after(failures(0, 28 * HOUR, 6 * DAY));
  expect(again).toMatchObject({ active: true, failing_since: at(6 * DAY) });
  expect(after(failures(0, 28 * HOUR, 6 * DAY, 6 * DAY + HOUR, 7 * DAY))).toMatchObject({
    active: true,
    failing_since: at(6 * DAY),
  });
});

test('one that is seldom sent to, and that failed a delivery to its end, is given up however long nothing was sent', () => {
  const week = (count: number) => count * 7 * DAY;
  const once = [...failures(0, HOUR), givingUp(28 * HOUR)];
  expect(after(once)).toMatchObject({ active: true, failing_since: at(0) });
  expect(after([...once, ...failures(4 * DAY)])).toMatchObject({
    active: true,
    failing_since: at(0),
    last_failed_at: at(4 * DAY),
  });
  expect(after([...once, ...failures(week(1))])).toMatchObject({
    active: false,
    disabled_reason: 'failing',
  });
});

test('what was given up before the endpoint took something is forgotten with the failures of that time', () => {
  const before = [...failures(0), givingUp(28 * HOUR), [29 * HOUR, answered(204)] as const];
  const again = after([...before, ...failures(2 * DAY, 9 * DAY)]);
  expect(again).toMatchObject({ active: true, failing_since: at(9 * DAY) });
});

test('that a delivery is given up is noted at once, however lately the failure before it was', () => {
  const failing = after(failures(0));
  const tried = { now: at(1), disableAfterMs: 5 * DAY, isLast: true };
  const consequence = consequenceOf(failing, answered(500), tried);
  expect(consequence).toEqual({
    kind: 'failing',
    failing: { before: at(0), since: at(0), at: at(1), isLast: true },
  });
  expect(consequenceOf(withConsequence(failing, consequence!), answered(500), tried)).toBeNull();
});

test('of a row of before last failures were noted, failures are counted afresh once', () => {
  const { last_failed_at: _last, ...before } = after(failures(0));
  const tried = { now: at(6 * DAY), disableAfterMs: 5 * DAY, isLast: false };
  expect(consequenceOf(before, answered(500), tried)).toEqual({
    kind: 'failing',
    failing: { before: at(0), since: at(6 * DAY), at: at(6 * DAY), isLast: false },
  });
});

test('failures in quick succession are noted once an hour, each pause is, and what is taken ends them', () => {
  const failing = after(failures(0));
  const told = (afterMs: number, outcome = answered(500)) =>
    consequenceOf(failing, outcome, {
      now: at(afterMs),
      disableAfterMs: 5 * DAY,
      isLast: false,
    });
  expect(told(HOUR - 1)).toBeNull();
  expect(told(HOUR)).toEqual({
    kind: 'failing',
    failing: { before: at(0), since: at(0), at: at(HOUR), isLast: false },
  });
  expect(told(1, answered(503, 5_000))).toEqual({
    kind: 'pause',
    until: at(5_001),
    failing: { before: at(0), since: at(0), at: at(1), isLast: false },
  });
  expect(told(1, answered(204))).toEqual({ kind: 'works' });
  expect(told(1, answered(410))).toEqual({ kind: 'disable', reason: 'gone' });
  expect(told(6 * DAY, NOT_SENT)).toBeNull();
  const first = { now: at(0), disableAfterMs: DAY, isLast: false };
  expect(consequenceOf(well, answered(200), first)).toBeNull();
});
