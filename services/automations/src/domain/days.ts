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
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** What people in a time zone (IANA name) read off a moment. */
export function localTime(moment: Date, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    clockIn(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour', number>;
  const { year, month, day, hour } = parts;
  return {
    year,
    month,
    day,
    hour,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() || SUNDAY,
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
