import {
  type Connection,
  collection,
  createKeptSums,
  type KeptSums,
  keptSumsIndexes,
} from '@laurel/mongo';
import type { ClientStore } from './clients';

const COLLECTION = 'daily_signups';

export const dailySignups = collection<{ _id: string; workspace_id: string }>(COLLECTION, {
  tenant: 'workspace_id',
  person: 'nobody',
  growth: {
    per: 'workspace and day',
    end: 'hours after 4 days; days stay: some 300 bytes each, and those who were deleted since could not be counted again',
    shardKey: 'whole',
  },
  indexes: keptSumsIndexes(COLLECTION).indexes,
});

export interface Signups {
  count: number;
}
export type DailySignupStore = KeptSums<Signups>;

/** How many clients were created in a day. Those deleted later on stay counted once the day is over. */
export function createDailySignupStore(
  connection: Connection,
  clients: Pick<ClientStore, 'countCreated'>,
): DailySignupStore {
  return createKeptSums<Signups>({
    connection,
    collection: COLLECTION,
    tally: async (workspaceId, from, until) => ({
      count: await clients.countCreated(workspaceId, from, until),
    }),
    add: (parts) => ({ count: parts.reduce((sum, { count }) => sum + count, 0) }),
  });
}
