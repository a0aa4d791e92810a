import {
  type Connection,
  collection,
  createKeptSums,
  type KeptSums,
  keptSumsIndexes,
} from '@laurel/mongo';
import type { PassStore } from './passes';

const COLLECTION = 'daily_passes';

export const dailyPasses = collection<{ _id: string; workspace_id: string }>(COLLECTION, {
  tenant: 'workspace_id',
  person: 'nobody',
  growth: {
    per: 'workspace and day',
    end: 'hours after 4 days; days stay: some 300 bytes each, and those who were deleted since could not be counted again',
    shardKey: 'whole',
  },
  indexes: keptSumsIndexes(COLLECTION).indexes,
});

export interface MadePasses {
  count: number;
}
export type DailyPassStore = KeptSums<MadePasses>;

/** How many passes were made in a day. Those deleted later on stay counted once the day is over. */
export function createDailyPassStore(
  connection: Connection,
  passes: Pick<PassStore, 'countMade'>,
): DailyPassStore {
  return createKeptSums<MadePasses>({
    connection,
    collection: COLLECTION,
    tally: async (workspaceId, from, until) => ({
      count: await passes.countMade(workspaceId, from, until),
    }),
    add: (parts) => ({ count: parts.reduce((sum, { count }) => sum + count, 0) }),
  });
}
