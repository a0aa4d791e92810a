import type { Period } from '@laurel/contract';
import type { clients as api } from '@laurel/rpc';
import { bucketOf, bucketsBetween } from '@laurel/values/calendar';
import type { Deps } from '../deps';
import { growthPercent } from '../domain/growth';

/** Clients created per day, week or month until now at the latest; buckets without any are there too. */
export async function countSignups(
  { clients, clock }: Pick<Deps, 'clients' | 'clock'>,
  request: api.CountSignupsRequest,
): Promise<api.SignupBuckets> {
  const unit = (request.group_by_time ?? 'week') as Period;
  const from = request.from_date === undefined ? undefined : new Date(request.from_date);
  const to = request.to_date === undefined ? undefined : new Date(request.to_date);
  const perDay = await clients.countPerDay(request.workspace_id, from, to);
  const counts = new Map<string, number>();
  for (const [day, count] of perDay) {
    const bucket = bucketOf(day, unit);
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  const first = from?.toISOString() ?? [...perDay.keys()].sort()[0];
  const now = clock.now();
  const last = to && to < now ? to : now;
  const dates = first === undefined ? [] : bucketsBetween(first, last.toISOString(), unit);
  const buckets = dates.map((date) => ({ date, count: counts.get(date) ?? 0 }));
  const latest = buckets.at(-1)?.count ?? 0;
  return {
    buckets,
    total: [...perDay.values()].reduce((sum, count) => sum + count, 0),
    latest_bucket_count: latest,
    growth_wow_pct: growthPercent(buckets.at(-2)?.count, latest),
  };
}
