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

const DAY_MS = 86_400_000;
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
export function startOfDay({ year, month, day }: Day, timeZone: string): Date {
  const midnight = Date.UTC(year, month - 1, day);
  const [before, after] = [-DAY_MS, DAY_MS].map(
    (distance) => midnight - offsetMs(midnight + distance, timeZone),
  ) as [number, number];
  const isMidnight = (moment: number) => moment + offsetMs(moment, timeZone) === midnight;
  const found = [before, after].filter(isMidnight);
  return new Date(found.length > 0 ? Math.min(...found) : before);
}
