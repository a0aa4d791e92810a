import {
  type Connection,
  collection,
  createKeptSums,
  type KeptSums,
  keptSumsIndexes,
} from '@laurel/mongo';
import type { RedemptionStore } from './redemptions';

const COLLECTION = 'daily_redemptions';

export const dailyRedemptions = collection<{ _id: string; workspace_id: string }>(COLLECTION, {
  tenant: 'workspace_id',
  person: 'nobody',
  growth: {
    per: 'workspace and day',
    end: 'hours after 4 days; days stay: some 300 bytes each',
    shardKey: 'whole',
  },
  indexes: keptSumsIndexes(COLLECTION).indexes,
});

export interface Redeemed {
  count: number;
}

/** How many redemptions were made in a day, whatever became of them. */
export function createDailyRedemptionStore(
  connection: Connection,
  redemptions: Pick<RedemptionStore, 'countMade'>,
): KeptSums<Redeemed> {
  return createKeptSums<Redeemed>({
    connection,
    collection: COLLECTION,
    tally: async (workspaceId, from, until) => ({
      count: await redemptions.countMade(workspaceId, from, until),
    }),
    add: (parts) => ({ count: parts.reduce((sum, { count }) => sum + count, 0) }),
  });
}
