/** A day as a calendar on the wall shows it, somewhere. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

/** A moment as a clock and a calendar on the wall show it, somewhere. */
export interface LocalTime extends Day {
  hour: number;
  /** 1 is Monday, 7 Sunday. */
  weekday: number;
}

/** A stretch of time; `until` is no longer in it, and null where it has no end. */
export interface Period {
  from: Date;
  until: Date | null;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SUNDAY = 7;
const ZONES_MAX = 600;
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockIn(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  if (clocks.size >= ZONES_MAX) clocks.clear();
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timeZone, clock);
  return clock;
}

function readingOf(moment: Date, timeZone: string) {
  return Object.fromEntries(
    clockIn(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
}

/** What people in a time zone (IANA name) read off a moment. */
export function localTime(moment: Date, timeZone: string): LocalTime {
  const { year, month, day, hour } = readingOf(moment, timeZone);
  return {
    year,
    month,
    day,
    hour,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() || SUNDAY,
  };
}

/** By how much clocks in a time zone are ahead of UTC at a moment. */
function offsetMs(moment: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = readingOf(new Date(moment), timeZone);
  const wholeSecond = Math.floor(moment / 1_000) * 1_000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
}

/** The moment at which a day begins; where clocks leave out midnight, the one at which they do. */
function startOfDay({ year, month, day }: Day, timeZone: string): Date {
  const midnight = Date.UTC(year, month - 1, day);
  const [before, after] = [-DAY_MS, DAY_MS].map(
    (distance) => midnight - offsetMs(midnight + distance, timeZone),
  ) as [number, number];
  const isMidnight = (moment: number) => moment + offsetMs(moment, timeZone) === midnight;
  const found = [before, after].filter(isMidnight);
  return new Date(found.length > 0 ? Math.min(...found) : before);
}

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
    today.month > born.month || (today.month === born.month && today.day >= born.day);
  return today.year - born.year - (hadBirthday ? 0 : 1);
}

/** Whether a day is the anniversary of another; those of 29 February fall on the 28th in common years. */
export function isAnniversary(today: Day, of: Day): boolean {
  const falls = of.month === 2 && of.day === 29 && !isLeap(today.year) ? 28 : of.day;
  return today.month === of.month && today.day === falls;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
