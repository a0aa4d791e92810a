import { workspaceClock } from '@laurel/lifecycle';
import { type Connection, createKeptCounts, type KeptCounts, keptDays } from '@laurel/mongo';
import type { RedemptionStore } from './redemptions';

export const dailyRedemptions = keptDays('daily_redemptions', 'some 300 bytes each');

/** How many redemptions were made in a day, whatever became of them. */
export const createDailyRedemptionStore = (
  connection: Connection,
  { countMade }: Pick<RedemptionStore, 'countMade'>,
): KeptCounts =>
  createKeptCounts({
    connection,
    collection: dailyRedemptions.collection,
    count: countMade,
    clock: workspaceClock,
  });
