import type { mongo } from 'mongoose';
import type { TenantRows } from './rows';

const HOUR_MS = 3_600_000;

export interface DaysToCount {
  /** The column that counts are kept apart by, and which of its values are wanted. */
  by: string;
  values: readonly string[];
  /** The column with the moment of a row. */
  at: string;
  /** The moments (epoch milliseconds) at which the days begin, oldest first. */
  dayStarts: readonly number[];
  until: number;
  /** What else a row must be. */
  where?: object;
}

/**
 * How many rows there are of each day, by a value of theirs; in one pass over the rows of those days. Days are named by
 * the moments at which they begin, so that they may be of any time zone.
 */
export async function countByDay<Row extends mongo.Document>(
  rows: TenantRows<Row>,
  { by, values, at, dayStarts, until, where = {} }: DaysToCount,
): Promise<Map<string, number[]>> {
  const counts = new Map(values.map((value) => [value, dayStarts.map(() => 0)]));
  const [first] = dayStarts;
  if (first === undefined || values.length === 0) return counts;
  // Most zones are whole hours away: fewer groups.
  const isHourly = dayStarts.every((start) => start % HOUR_MS === 0);
  const format = isHourly ? '%Y-%m-%dT%H' : '%Y-%m-%dT%H:%M';
  const filter = {
    ...where,
    [by]: { $in: [...values] },
    [at]: { $gte: new Date(first), $lt: new Date(until) },
  };
  const groups = rows.aggregate<{ _id: { by: string; at: string }; count: number }>(
    filter as never,
    [
      {
        $group: {
          _id: { by: `$${by}`, at: { $dateToString: { format, date: `$${at}` } } },
          count: { $sum: 1 },
        },
      },
    ],
  );
  for (const { _id, count } of await groups.toArray()) {
    const moment = Date.parse(`${_id.at}${isHourly ? ':00' : ''}:00Z`);
    const day = dayStarts.findLastIndex((start) => start <= moment);
    const own = counts.get(_id.by);
    if (own && day >= 0) own[day] = own[day]! + count;
  }
  return counts;
}
