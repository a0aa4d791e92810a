import { type Day, localTime, startOfDay } from '@laurel/values/calendar';

/** A stretch of time; `until` is no longer in it, and null where it has no end. */
export interface Period {
  from: Date;
  until: Date | null;
}

const HOUR_MS = 3_600_000;
const SUNDAY = 7;

/**
 * The hour, day, week or month that an execution at a moment counts for. An hour is the sixty minutes up to the moment;
 * the others are those of the calendar in a time zone, weeks from Monday (part 4, section 6).
 */
export function periodOf(
  interval: 'hour' | 'day' | 'week' | 'month',
  moment: Date,
  timeZone: string,
): Period {
  if (interval === 'hour') return { from: new Date(moment.getTime() - HOUR_MS + 1), until: null };
  const { year, month, day, weekday } = localTime(moment, timeZone);
  const first = { day, week: day - weekday + 1, month: 1 }[interval];
  const next = {
    day: { year, month, day: day + 1 },
    week: { year, month, day: first + SUNDAY },
    month: { year, month: month + 1, day: 1 },
  }[interval];
  return {
    from: startOfDay({ year, month, day: first }, timeZone),
    until: startOfDay(next, timeZone),
  };
}

/** A calendar day such as a birthday, which is the same everywhere; null for what is none. */
export function dayNamed(text: string): Day | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return year === undefined ? null : { year: Number(year), month: Number(month), day: Number(day) };
}

/** Age in whole years of somebody born on a day. */
export function ageOn(today: Day, born: Day): number {
  const hadBirthday =
    today.month > born.month ||
    (today.month === born.month && today.day >= dayInYear(born, today.year));
  return today.year - born.year - (hadBirthday ? 0 : 1);
}

/** Whether a day is the anniversary of another. */
export function isAnniversary(today: Day, of: Day): boolean {
  return today.month === of.month && today.day === dayInYear(of, today.year);
}

/** The day of the month on which an anniversary falls: of 29 February the 28th in common years. */
function dayInYear({ month, day }: Day, year: number): number {
  return month === 2 && day === 29 && !isLeap(year) ? 28 : day;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
