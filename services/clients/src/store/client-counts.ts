import { createLongCounts, limitedTo, type Rows } from '@laurel/mongo';
import { type ClientFilter, toFilter } from './client-filter';
import type { ClientDocument } from './mapping';
import type { createSearchStore, Found } from './search';
import { settledMoment, TOTAL_KEPT_MS, timeRange } from './totals';

/** What a list holds, and how it is to be found where the store would not choose well by itself. */
export interface Matching {
  filter: Record<string, unknown>;
  options: { hint?: string };
  /** Whom a search found: all that the filter matches where it asks for nothing else. */
  found?: Found;
}

export type ClientCounts = ReturnType<typeof createClientCounts>;

/** How many clients there are, by what is asked of them. */
export function createClientCounts(
  rows: Rows<ClientDocument>,
  search: Pick<ReturnType<typeof createSearchStore>, 'count'>,
) {
  const totals = createLongCounts<Date>({ keptMs: TOTAL_KEPT_MS });

  function totalOf(
    workspaceId: string,
    { search: text, ...others }: ClientFilter,
    { filter, options, found }: Matching,
  ): Promise<number> {
    const isSearch = text && Object.values(others).every((one) => !one);
    if (isSearch && Array.isArray(found)) return Promise.resolve(found.length);
    const inTexts = isSearch && !options.hint;
    return totals.total({
      isLong: Boolean(inTexts) && found === 'too many',
      key: `${workspaceId} ${JSON.stringify({ ...others, text })}`,
      settled: inTexts ? () => new Date() : settledMoment,
      count: (range, atMost) =>
        inTexts && !range.after
          ? search.count(workspaceId, text, atMost)
          : rows
              .of(workspaceId)
              .count(
                { $and: [filter, timeRange('date_created', range)] },
                { ...options, ...limitedTo(atMost) },
              ),
    });
  }

  return {
    /** How many a list holds. */
    total: totalOf,

    /** Clients created per day (UTC). */
    async perDay(
      workspaceId: string,
      from: Date | undefined,
      to: Date | undefined,
    ): Promise<Map<string, number>> {
      const day = { $dateToString: { format: '%Y-%m-%d', date: '$date_created' } };
      const days = await rows
        .of(workspaceId)
        .aggregate<{ _id: string; count: number }>(toFilter({ from, to }), [
          { $group: { _id: day, count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(days.map(({ _id, count }) => [_id, count]));
    },

    /** How many were created from a moment up to another; counted along an index. */
    created: (workspaceId: string, from: Date, until: Date): Promise<number> =>
      rows.of(workspaceId).count({ date_created: { $gte: from, $lt: until } }),

    /** How many there are, deleted ones not among them. */
    all: (workspaceId: string): Promise<number> =>
      totalOf(workspaceId, {}, { filter: toFilter({}), options: {} }),

    /** Drops what is remembered of a workspace that is no more. */
    forgetTotals: totals.forget,
  };
}
