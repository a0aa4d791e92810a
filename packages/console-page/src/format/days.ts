/** A span of days of the workspace, first and last both meant. */
export interface Span {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

/** Which day it is in a zone, as YYYY-MM-DD. */
export function dayIn(timezone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  return parts.format(at);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The last `count` days up to and with today. */
export const lastDays = (count: number, today: string): Span => ({
  from: addDays(today, 1 - count),
  to: today,
});

/** As many days before a span as it has itself. */
export function spanBefore({ from, to }: Span): Span {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return { from: addDays(from, -count), to: addDays(from, -1) };
}

/** Every day of a span, so that days on which nothing happened are there too. */
export function daysOf({ from, to }: Span): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/**
 * When a time of a day comes in a zone, as a moment: when the day begins unless it is said. One that is left out as clocks
 * are put on comes as much later.
 */
export function momentOf(day: string, timezone: string, time = '00:00'): string {
  const utc = Date.parse(`${day}T${time}:00Z`);
  // Twice, since the offset at the guess may be another than the offset at the result.
  const once = utc - offsetMs(timezone, new Date(utc));
  const twice = utc - offsetMs(timezone, new Date(once));
  const isThere = utc - offsetMs(timezone, new Date(twice)) === twice;
  return new Date(isThere ? twice : Math.max(once, twice)).toISOString();
}

/** The last moment of a day in a zone: what is good until a day is good on it. */
export function endOf(day: string, timezone: string): string {
  return new Date(Date.parse(momentOf(addDays(day, 1), timezone)) - 1).toISOString();
}

/** The last day that something is good on which ends at a moment. */
export function lastDayOf(moment: string, timezone: string): string {
  return dayIn(timezone, new Date(Date.parse(moment) - 1));
}

function offsetMs(timezone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const there = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  );
  return there - Math.floor(at.getTime() / 1_000) * 1_000;
}
