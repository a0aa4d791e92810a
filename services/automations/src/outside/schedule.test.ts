import { nextRun, scheduleProblem } from './schedule';

const now = new Date('2026-03-28T12:00:00.000Z');

test.each([
  [{ cron: '0 9 * * *', timezone: 'Mars/Olympus' }, 'timezone'],
  [{ cron: '0 9 * * *', timezone: '+02:00' }, 'timezone'],
  [{ cron: '0 9 * * *', timezone: '' }, 'timezone'],
  [{ cron: 'every day' }, 'cron'],
  [{ cron: '0 9 * * * *' }, 'cron'],
  [{ cron: '61 9 * * *' }, 'cron'],
  [{ cron: '2030-01-01T09:00:00' }, 'cron'],
  [{ cron: '@daily' }, 'cron'],
  [{ cron: ' @WEEKLY' }, 'cron'],
  [{ cron: '0 9 30 2 *' }, 'cron'],
])('what is wrong with %j is said in words of ours, and of which part', (schedule, part) => {
  const problem = scheduleProblem(schedule, now);
  expect(problem?.part).toBe(part);
  expect(problem?.complaint).toMatch(
    /^(must be an IANA time zone|must be five fields|never comes round)/,
  );
  expect(problem?.complaint).not.toMatch(/CronDate|CronPattern|Error/);
});

test('a schedule is due by its own zone, through its change to summer time, else by the workspace’s', () => {
  const next = (timezone?: string) =>
    nextRun({ cron: '30 3 * * *', ...(timezone && { timezone }) }, now, 'UTC')?.toISOString();
  expect(scheduleProblem({ cron: '30 3 * * *', timezone: 'Europe/Berlin' }, now)).toBeNull();
  expect(next()).toBe('2026-03-29T03:30:00.000Z');
  expect(next('Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});

test.each([
  // Clocks go from 3 back to 2 at 01:00 UTC, and from 2 on to 3.
  ['30 2,14 * * *', '2026-10-24T12:45:00.000Z', ['25T00:30', '25T13:30', '26T01:30']],
  ['0,30 2 * * *', '2026-10-24T12:00:00.000Z', ['25T00:00', '25T00:30', '26T01:00']],
  ['30 2,14 * * *', '2026-03-28T12:45:00.000Z', ['28T13:30', '29T01:00', '29T12:30', '30T00:30']],
  ['0 */2 * * *', '2026-10-25T00:30:00.000Z', ['25T01:00', '25T03:00']],
])(
  '%s runs at each time of day that it names once a day, whatever clocks do',
  (cron, from, due) => {
    const runs: string[] = [];
    for (let after = new Date(from); runs.length < due.length; ) {
      after = nextRun({ cron, timezone: 'Europe/Berlin' }, after, 'UTC')!;
      runs.push(after.toISOString().slice('2026-10-'.length, '2026-10-25T00:30'.length));
    }
    expect(runs).toEqual(due);
  },
);
