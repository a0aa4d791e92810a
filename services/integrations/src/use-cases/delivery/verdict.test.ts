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

/** An endpoint after attempts at these moments, each with its answer. */
function after(attempts: readonly (readonly [afterMs: number, outcome: AttemptOutcome])[]) {
  let webhook = well;
  for (const [afterMs, outcome] of attempts) {
    const moment = { now: at(afterMs), disableAfterMs: 5 * DAY };
    const consequence = consequenceOf(webhook, outcome, moment);
    if (consequence) webhook = withConsequence(webhook, consequence);
  }
  return webhook;
}
const failures = (...moments: number[]) => moments.map((each) => [each, answered(500)] as const);

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

test('of a row of before last failures were noted, failures are counted afresh once', () => {
  const { last_failed_at: _last, ...before } = after(failures(0));
  const moment = { now: at(6 * DAY), disableAfterMs: 5 * DAY };
  expect(consequenceOf(before, answered(500), moment)).toEqual({
    kind: 'failing',
    failing: { before: at(0), since: at(6 * DAY), at: at(6 * DAY) },
  });
});

test('failures in quick succession are noted once an hour, each pause is, and what is taken ends them', () => {
  const failing = after(failures(0));
  const told = (afterMs: number, outcome = answered(500)) =>
    consequenceOf(failing, outcome, { now: at(afterMs), disableAfterMs: 5 * DAY });
  expect(told(HOUR - 1)).toBeNull();
  expect(told(HOUR)).toEqual({
    kind: 'failing',
    failing: { before: at(0), since: at(0), at: at(HOUR) },
  });
  expect(told(1, answered(503, 5_000))).toEqual({
    kind: 'pause',
    until: at(5_001),
    failing: { before: at(0), since: at(0), at: at(1) },
  });
  expect(told(1, answered(204))).toEqual({ kind: 'works' });
  expect(told(1, answered(410))).toEqual({ kind: 'disable', reason: 'gone' });
  expect(told(6 * DAY, NOT_SENT)).toBeNull();
  expect(consequenceOf(well, answered(200), { now: at(0), disableAfterMs: DAY })).toBeNull();
});
