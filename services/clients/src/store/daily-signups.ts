import { workspaceClock } from '@laurel/lifecycle';
import { type Connection, createKeptCounts, type KeptCounts, keptDays } from '@laurel/mongo';
import type { ClientStore } from './clients';

export const dailySignups = keptDays(
  'daily_signups',
  'some 300 bytes each, and those who were deleted since could not be counted again',
);

/** How many clients were created in a day. */
export const createDailySignupStore = (
  connection: Connection,
  { countCreated }: Pick<ClientStore, 'countCreated'>,
): KeptCounts =>
  createKeptCounts({
    connection,
    collection: dailySignups.collection,
    count: countCreated,
    clock: workspaceClock,
  });
