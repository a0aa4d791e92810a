import { nextRun, scheduleProblem } from './schedule';

const now = new Date('2026-03-28T12:00:00.000Z');

test.each([
  [{ cron: '0 9 * * *', timezone: 'Mars/Olympus' }, 'timezone'],
  [{ cron: '0 9 * * *', timezone: '+02:00' }, 'timezone'],
  [{ cron: '0 9 * * *', timezone: '' }, 'timezone'],
  [{ cron: 'every day' }, 'cron'],
  [{ cron: '0 9 * * * *' }, 'cron'],
  [{ cron: '61 9 * * *' }, 'cron'],
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
