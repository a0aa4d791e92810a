import { type Connection, createKeptSums, type KeptSums, keptSumsIndexes } from '@laurel/mongo';
import type { RedemptionStore } from './redemptions';

const COLLECTION = 'daily_redemptions';

export const dailyRedemptionIndexes = keptSumsIndexes(COLLECTION);

export interface Redeemed {
  count: number;
}
export type DailyRedemptionStore = KeptSums<Redeemed>;

/** How many redemptions were made in a day, whatever became of them. */
export function createDailyRedemptionStore(
  connection: Connection,
  redemptions: Pick<RedemptionStore, 'countMade'>,
): DailyRedemptionStore {
  return createKeptSums<Redeemed>({
    connection,
    collection: COLLECTION,
    tally: async (workspaceId, from, until) => ({
      count: await redemptions.countMade(workspaceId, from, until),
    }),
    add: (parts) => ({ count: parts.reduce((sum, { count }) => sum + count, 0) }),
  });
}
