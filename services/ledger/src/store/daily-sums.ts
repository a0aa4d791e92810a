import { isSandbox } from '@laurel/lifecycle';
import { type Connection, createKeptSums, type KeptSums, keptDays } from '@laurel/mongo';
import { addFlows, type DayFlows, type FlowRow, flowsOf } from '../domain/day-flows';
import { BREAKAGE_SOURCES, CLOSING_TYPES } from '../domain/statement';
import type { EntryStore } from './entries';
import { idBefore } from './id-before';

export const dailySums = keptDays(
  'daily_sums',
  'some 300 bytes each, and those who were deleted since could not be counted again',
);

/** An entry gets its id and its time in one go; more than it may take until both are there. */
const ID_MARGIN_MS = 600_000;

export type DailySums = KeptSums<DayFlows>;

/** What came and went of each wallet type in a day. Entries never change, so a day that is over is final. */
export function createDailySums(
  connection: Connection,
  { collection }: Pick<EntryStore, 'collection'>,
  now: () => number,
): DailySums {
  return createKeptSums<DayFlows>({
    connection,
    collection: dailySums.collection,
    add: addFlows,
    now,
    async tally(workspaceId, from, until) {
      const rows = await collection
        .aggregate<FlowRow>([
          {
            $match: {
              workspace_id: workspaceId,
              // Entries have no index by time of their own; their ids sort by it, but in a sandbox, which has few.
              ...(isSandbox(workspaceId) ? {} : { _id: idsOf(from, until) }),
              created_at: { $gte: from, $lt: until },
            },
          },
          {
            $group: {
              _id: {
                code: '$wallet_type_code',
                type: '$type',
                breaks: {
                  $and: [
                    { $in: ['$type', [...CLOSING_TYPES]] },
                    { $in: ['$source_type', [...BREAKAGE_SOURCES]] },
                  ],
                },
                adds: { $gte: [MOVED, 0] },
              },
              moved: { $sum: MOVED },
              pending: { $sum: '$change.pending' },
            },
          },
        ])
        .toArray();
      return flowsOf(rows);
    },
  });
}

const idsOf = (from: Date, until: Date) => ({
  $gte: idBefore(new Date(from.getTime() - ID_MARGIN_MS)),
  $lt: idBefore(new Date(until.getTime() + ID_MARGIN_MS)),
});

const MOVED = { $add: ['$change.active', '$change.pending', '$change.locked'] };
