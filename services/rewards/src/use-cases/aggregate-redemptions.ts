import type { Period } from '@laurel/contract';
import type { rewards as api } from '@laurel/rpc';
import { toDecimal, total, type Units, ZERO } from '@laurel/values/amount';
import { bucketOf, bucketsBetween } from '@laurel/values/calendar';
import type { Deps } from '../deps';
import type { Tally } from '../store/redemption-tallies';
import { momentOf } from './list-redemptions';

/** How many redemptions there were, what they cost, and when: from the first bucket with any to the last. */
export async function aggregateRedemptions(
  { redemptions }: Pick<Deps, 'redemptions'>,
  request: api.AggregateRedemptionsRequest,
): Promise<api.RedemptionAggregate> {
  const { status, exclude_cancelled: excludeCancelled } = request;
  const days = await redemptions.tallyByDay(request.workspace_id, {
    status,
    excludeCancelled,
    from: momentOf(request.from_date),
    to: momentOf(request.to_date),
  });
  const unit = request.group_by_time as Period | undefined;
  return {
    count: days.reduce((sum, { count }) => sum + count, 0),
    points_spent: toDecimal(total(...days.map(({ points }) => points))),
    buckets: unit ? bucketsOf(days, unit) : [],
  };
}

function bucketsOf(
  days: readonly (Tally & { day: string })[],
  unit: Period,
): api.RedemptionBucket[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const byBucket = new Map<string, { count: number; points: Units }>();
  for (const { day, count, points } of days) {
    const bucket = bucketOf(day, unit);
    const sum = byBucket.get(bucket) ?? { count: 0, points: ZERO };
    byBucket.set(bucket, { count: sum.count + count, points: total(sum.points, points) });
  }
  return bucketsBetween(first.day, last.day, unit).map((date) => {
    const { count, points } = byBucket.get(date) ?? { count: 0, points: ZERO };
    return { date, count, points_spent: toDecimal(points) };
  });
}
