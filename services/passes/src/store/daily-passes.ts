import { type Connection, createKeptCounts, type KeptCounts, keptDays } from '@laurel/mongo';
import type { PassStore } from './passes';

export const dailyPasses = keptDays(
  'daily_passes',
  'some 300 bytes each, and those who were deleted since could not be counted again',
);

/** How many passes were made in a day. */
export const createDailyPassStore = (
  connection: Connection,
  { countMade }: Pick<PassStore, 'countMade'>,
): KeptCounts =>
  createKeptCounts({
    connection,
    collection: dailyPasses.collection,
    count: countMade,
    // Passes go by real time in sandboxes, too (docs/adr/0029): today is not over there either.
    clock: { now: () => new Date() },
  });
