import type { EntryDocument } from './documents';

/**
 * Sequences have no holes and times never run backwards within a wallet, so the last entry by a time is found by
 * doubling up from a known sequence and then halving.
 */
export async function lastEntryBy(
  read: (sequence: number) => Promise<EntryDocument | null>,
  near: number,
  at: Date,
): Promise<EntryDocument | null> {
  let low = 0;
  let found: EntryDocument | null = null;
  let high = near;
  for (;;) {
    const entry = await read(high);
    if (!entry || entry.created_at > at) break;
    found = entry;
    low = high;
    high *= 2;
  }
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await read(middle);
    if (entry && entry.created_at <= at) {
      found = entry;
      low = middle;
    } else high = middle;
  }
  return found;
}
