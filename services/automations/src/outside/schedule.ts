import { Cron } from 'croner';
import type { Schedule } from '../domain/rule';

/** Seconds are not a schedule for people: five fields, the finest of which is the minute. */
const MODE = '5-part';
/** Times of day that are named, one or several, come round once a day: also where clocks show them twice, or leave them out. */
const NAMED_TIMES = 'no-wildcard';

const NO_CRON =
  'must be five fields, each within its range: minute, hour, day of month, month and weekday, such as 0 9 * * 1';

/** What is wrong with a schedule and with which part of it, or null. One that never comes round again is wrong too. */
export function scheduleProblem(
  schedule: Schedule,
  now: Date,
): { part: 'cron' | 'timezone'; complaint: string } | null {
  const { cron, timezone } = schedule;
  if (timezone !== undefined && !isTimeZone(timezone))
    return { part: 'timezone', complaint: 'must be an IANA time zone such as Europe/Berlin' };
  // The library takes a moment as well, which comes once, and names such as @daily, of which no field can be shown.
  if (/[:@]/.test(cron)) return { part: 'cron', complaint: NO_CRON };
  try {
    if (nextRun(schedule, now, 'UTC')) return null;
  } catch {
    return { part: 'cron', complaint: NO_CRON };
  }
  return { part: 'cron', complaint: 'never comes round' };
}

/** The first moment after `after` at which a schedule is due, in its own time zone or the workspace's; null for never. */
export function nextRun(
  { cron, timezone }: Schedule,
  after: Date,
  workspaceZone: string,
): Date | null {
  const options = { mode: MODE, fixedTimeRule: NAMED_TIMES, paused: true } as const;
  return new Cron(cron, { ...options, timezone: timezone ?? workspaceZone }).nextRun(after);
}

/** Offsets such as +02:00 are no zones: they do not know summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
