import type { Period } from '@laurel/contract';

export { FIRST_MOMENT, isRealDay, momentNamed } from './moment';
export { type Day, type LocalTime, localTime, startOfDay } from './zones';

/** No page draws more; an absurd range gives the latest ones. */
const BUCKETS_MAX = 3_660;
const DAY_MS = 86_400_000;
const WEEKDAYS = 7;

/** First day (UTC) of the bucket that holds a day or moment; weeks start on Monday. */
export function bucketOf(moment: string, unit: Period): string {
  const day = moment.slice(0, 10);
  if (unit === 'day') return day;
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  const date = new Date(`${day}T00:00:00.000Z`);
  const sinceMonday = (date.getUTCDay() + WEEKDAYS - 1) % WEEKDAYS;
  return isoDay(new Date(date.getTime() - sinceMonday * DAY_MS));
}

/** All buckets from the one that holds `first` to the one that holds `last`, oldest first. */
export function bucketsBetween(first: string, last: string, unit: Period): string[] {
  const oldest = bucketOf(first, unit);
  const buckets: string[] = [];
  let bucket = bucketOf(last, unit);
  while (bucket >= oldest && buckets.length < BUCKETS_MAX) {
    buckets.push(bucket);
    const dayBefore = new Date(Date.parse(`${bucket}T00:00:00.000Z`) - DAY_MS);
    bucket = bucketOf(isoDay(dayBefore), unit);
  }
  return buckets.reverse();
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The day that comes so many days after another; before it where the number is negative. */
export function daysAfter(day: string, days: number): string {
  return isoDay(new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS));
}
