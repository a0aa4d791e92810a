import { cutPage, decodeCursor, encodeCursor } from '@laurel/mongo';
import type { EntryDocument } from './documents';
import { type EntryStore, NEWEST } from './entries';
import { type EntryFilter, queryOf } from './entry-filter';
import type { EntryTotals } from './entry-totals';

export interface PageRequest {
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

export interface Page {
  entries: EntryDocument[];
  total: number;
  nextCursor: string | null;
}

/** One page of a list, newest first. Ids are UUIDs v7, so that they sort by time. */
export async function findPage(
  { entries: { collection }, entryTotals }: { entries: EntryStore; entryTotals: EntryTotals },
  filter: EntryFilter,
  page: PageRequest,
): Promise<Page> {
  const query = queryOf(filter);
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, isEntryId);
  const matching = after === undefined ? query : { $and: [query, { _id: { $lt: after } }] };
  const [total, found] = await Promise.all([
    entryTotals.of(filter),
    collection
      .find(matching, filter.walletIds === undefined ? { hint: NEWEST } : {})
      .sort({ _id: -1 })
      .skip(page.offset)
      .limit(page.limit + 1)
      .batchSize(page.limit + 2)
      .toArray(),
  ]);
  const { rows: entries, nextCursor } = cutPage(found, page.limit, ({ _id }) => _id);
  return { entries, total, nextCursor };
}

/**
 * One page of a whole wallet, newest first. Its sequence has no holes, so that any page is a range of it,
 * however deep, and its length is known.
 */
export async function findWalletPage(
  store: EntryStore,
  { workspaceId, walletId, sequence }: { workspaceId: string; walletId: string; sequence: number },
  page: PageRequest,
): Promise<Page> {
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, isSequence);
  const upper = (after === undefined ? sequence : after - 1) - page.offset;
  const lower = Math.max(0, upper - page.limit);
  const entries =
    upper <= 0
      ? []
      : await store.collection
          .find({
            workspace_id: workspaceId,
            wallet_id: walletId,
            sequence: { $gt: lower, $lte: upper },
          })
          .sort({ sequence: -1 })
          .batchSize(page.limit + 1)
          .toArray();
  return { entries, total: sequence, nextCursor: lower > 0 ? encodeCursor(lower + 1) : null };
}

function isEntryId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
