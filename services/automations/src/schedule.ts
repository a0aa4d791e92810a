import { Cron } from 'croner';
import type { Schedule } from './domain/rule';

/** Seconds are not a schedule for people: five fields, the finest of which is the minute. */
const MODE = '5-part';

/** What is wrong with a schedule, or null. One that never comes round again is wrong too. */
export function scheduleProblem(schedule: Schedule, now: Date): string | null {
  try {
    return nextRun(schedule, now) ? null : 'the schedule never comes round';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first moment after `after` at which the schedule is due; null when there is none. */
export function nextRun({ cron, timezone = 'UTC' }: Schedule, after: Date): Date | null {
  return new Cron(cron, { mode: MODE, timezone, paused: true }).nextRun(after);
}
