import type { CountRange } from '@laurel/mongo';

/** How long the total of a long list may lag behind what other processes change or delete. */
export const TOTAL_KEPT_MS = 10_000;
/** Longer than a transaction lives: what is committed later carries a later moment. */
const SETTLED_AFTER_MS = 120_000;

/** A moment before which nothing is written any more. */
export function settledMoment(): Date {
  return new Date(Date.now() - SETTLED_AFTER_MS);
}

/** The filter for a part of a list that is counted by the times of its rows. */
export function timeRange(column: string, { after, until }: CountRange<Date>): object {
  if (!after && !until) return {};
  return { [column]: { ...(after ? { $gt: after } : {}), ...(until ? { $lte: until } : {}) } };
}
