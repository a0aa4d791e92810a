import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** How many redemptions were made day by day. */
export async function countDailyRedemptions(
  { dailyRedemptions }: Pick<Deps, 'dailyRedemptions'>,
  { workspace_id, day_starts, until }: api.DailyRedemptionsRequest,
): Promise<api.DailyRedemptions> {
  const days = await dailyRedemptions.of(workspace_id, day_starts, until);
  return { days: days.map((day) => ({ value: day?.count ?? null })) };
}
