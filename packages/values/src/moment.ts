/** Said after a time of day as an offset, or anywhere as Z or by one of the names that the runtime knows. */
const ZONE = /\d ?Z\b|:\d{2}([.,]\d+)?( [ap]m)? ?[+-]\d|\b(UTC|UT|GMT|[ECMP][SD]T)\b/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const BEGINS_WITH_DAY = /^\d{4}-\d{2}-\d{2}/;
const ISO = /^\d{4}-\d{2}-\d{2}[T ]/i;
/** As in `GMT+0200 (Central European Summer Time)`: the runtime reads over it. */
const REMARK = /\([^)]*\)/g;

/**
 * The first moment that is of a year of our era everywhere: what was before, stores and libraries write each in a way of
 * their own, and some not at all.
 */
export const FIRST_MOMENT = new Date('0001-01-02T00:00:00.000Z');

/** Whether a text begins with a day that there is, YYYY-MM-DD. Reading a date rolls 30 February over into March. */
export function isRealDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const calendar = new Date(Date.UTC(year, month - 1, day));
  return calendar.getUTCMonth() === month - 1 && calendar.getUTCDate() === day;
}

/**
 * The moment that a text names, in UTC where it has no zone (part 3, section 1.2), wherever the machine stands; an
 * invalid Date for none.
 */
export function momentNamed(text: string): Date {
  const said = text.replace(REMARK, '').trim();
  if (BEGINS_WITH_DAY.test(said) && !isRealDay(said)) return new Date(Number.NaN);
  if (DAY.test(said) || ZONE.test(said)) return new Date(said);
  return new Date(ISO.test(said) ? `${said}Z` : `${said} UTC`);
}
