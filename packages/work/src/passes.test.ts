import { forgetSandbox, noteSandbox, workspaceClock } from '@laurel/lifecycle';
import { byClockOf, lookBy, ofThisClock } from './passes';
import { dueBy } from './turns';

const NOW = new Date('2026-01-01T12:00:00Z');
let SANDBOX = 'sandbox-0';
beforeEach(() => {
  SANDBOX = `sandbox-${Math.random()}`;
});
const YEAR_MS = 365 * 86_400_000;
afterEach(() => forgetSandbox(SANDBOX));

test('as long as no sandbox was moved, a look by real time narrows no question', () => {
  noteSandbox('one-that-stands', 0);
  expect(lookBy(null, () => dueBy({}, NOW))).toEqual({ due_at: { $exists: true, $lte: NOW } });
  expect(ofThisClock()).toEqual({});
});

test('work of everybody else is looked for without the sandboxes that were moved, and that of each by its own clock', () => {
  noteSandbox(SANDBOX, YEAR_MS);
  const realNow = Date.now();
  const looks = [null, SANDBOX].map((owner) =>
    lookBy(owner, () => ({
      now: workspaceClock.now().getTime(),
      of: ofThisClock(),
      due: dueBy({ by: 'workspace_id' }, NOW).workspace_id,
    })),
  );
  expect(looks.map(({ of, due }) => [of.workspace_id, due])).toEqual([
    [{ $nin: [SANDBOX] }, { $nin: [SANDBOX] }],
    [{ $eq: SANDBOX }, { $eq: SANDBOX }],
  ]);
  expect(looks[0]!.now - realNow).toBeLessThan(60_000);
  expect(looks[1]!.now - realNow).toBeGreaterThanOrEqual(YEAR_MS);
});

test('a clock that was announced as further ahead never goes back', () => {
  noteSandbox(SANDBOX, YEAR_MS);
  noteSandbox(SANDBOX, 0);
  const ahead = byClockOf(SANDBOX, () => workspaceClock.now().getTime()) - Date.now();
  expect(ahead).toBeGreaterThan(YEAR_MS - 60_000);
});

test('a sandbox that is gone is not brought back by what was under way', () => {
  noteSandbox('gone-one', YEAR_MS);
  forgetSandbox('gone-one');
  noteSandbox('gone-one', YEAR_MS);
  expect(workspaceClock.now('gone-one').getTime()).toBeLessThan(Date.now() + 60_000);
});
