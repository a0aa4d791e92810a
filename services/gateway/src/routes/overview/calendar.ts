import type { Period } from '@laurel/contract';
import {
  bucketOf,
  bucketsBetween,
  daysAfter,
  localTime,
  startOfDay,
} from '@laurel/values/calendar';

const DAY_MS = 86_400_000;

/** Days of a workspace's calendar, the last among them. */
export interface Days {
  first: string;
  last: string;
}
/** A stretch of time in epoch milliseconds; `until` is no longer in it. */
export interface Span {
  from: number;
  until: number;
}
export interface Bucket extends Span {
  /** Its first day; of the first bucket perhaps one before the range. */
  date: string;
  /** Positions of its days, from the first day of the range, up to and not with the second. */
  days: [number, number];
}

/** The moment (epoch milliseconds) at which a day of the calendar begins in a time zone. */
export function startOf(day: string, zone: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return startOfDay({ year, month, day: date }, zone).getTime();
}

/** The day that it is in a time zone, as YYYY-MM-DD. */
export function dayAt(moment: Date, zone: string): string {
  const { year, month, day } = localTime(moment, zone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** They are counted before they are named: going on until the last is met never ends where a day has no next one. */
export function daysBetween({ first, last }: Days): string[] {
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length: Math.max(0, length) }, (_, position) => daysAfter(first, position));
}

/** The time before a range that it is compared with: as many days right before it, or the same days a year earlier. */
export function comparedWith(range: Days, compare: 'previous' | 'year'): Days {
  if (compare === 'year') return { first: yearBefore(range.first), last: yearBefore(range.last) };
  const length = daysBetween(range).length;
  return { first: daysAfter(range.first, -length), last: daysAfter(range.first, -1) };
}

/** 29 February has the 28th before it. */
function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0');
  return day.slice(5) === '02-29' ? `${year}-02-28` : `${year}${day.slice(4)}`;
}

/** Days, weeks (from Monday) or months of a range; the first and the last hold only what of them is in it. */
export function bucketsOf(range: Days, unit: Period, zone: string): Bucket[] {
  const days = daysBetween(range);
  return bucketsBetween(range.first, range.last, unit).map((date) => {
    const from = days.findIndex((day) => bucketOf(day, unit) === date);
    const until = days.findLastIndex((day) => bucketOf(day, unit) === date) + 1;
    return {
      date,
      days: [from, until],
      ...spanOf({ first: days[from]!, last: days[until - 1]! }, zone),
    };
  });
}

export function spanOf({ first, last }: Days, zone: string): Span {
  return { from: startOf(first, zone), until: startOf(daysAfter(last, 1), zone) };
}
