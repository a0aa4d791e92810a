import { countByDay, type DaysToCount, type Rows } from '@laurel/mongo';
import { total, type Units } from '@laurel/values/amount';
import type { RedemptionDocument } from './mapping';
import { type RedemptionFilter, toFilter } from './redemption-filter';

export interface RewardTally {
  fulfilled: number;
  cancelled: number;
  used: number;
  points: Units;
}

export interface Tally {
  count: number;
  points: Units;
}

const TALLY = { count: { $sum: 1 }, points: { $sum: '$points_spent' } } as const;

/** How many redemptions were made, and what became of them. */
export function countsOf(rows: Rows<RedemptionDocument>) {
  return {
    /** How many were made from a moment up to another, whatever became of them; counted along an index. */
    countMade: (workspaceId: string, from: Date, until: Date): Promise<number> =>
      rows.of(workspaceId).count({ redemption_date: { $gte: from, $lt: until } }),

    /** How many were made day by day, by reward, whatever became of them. */
    countByDay: (
      workspaceId: string,
      ids: readonly string[],
      { dayStarts, until }: Pick<DaysToCount, 'dayStarts' | 'until'>,
    ): Promise<Map<string, number[]>> =>
      countByDay(rows.of(workspaceId), {
        by: 'reward_id',
        values: ids,
        at: 'redemption_date',
        dayStarts,
        until,
      }),

    /** Redemptions of rewards by status, and how many of those not cancelled are used. Who has none is left out. */
    async statsOf(
      workspaceId: string,
      rewardIds: readonly string[],
    ): Promise<Map<string, RewardTally>> {
      const isCancelled = { $eq: ['$status', 'cancelled'] };
      const isUsed = { $and: [{ $not: [isCancelled] }, { $gt: ['$used_at', null] }] };
      const groups = rows
        .of(workspaceId)
        .aggregate<{ _id: string; all: number; cancelled: number; used: number; points: number }>(
          { reward_id: { $in: [...rewardIds] } },
          [
            {
              $group: {
                _id: '$reward_id',
                all: { $sum: 1 },
                cancelled: { $sum: { $cond: [isCancelled, 1, 0] } },
                used: { $sum: { $cond: [isUsed, 1, 0] } },
                points: { $sum: { $cond: [isCancelled, 0, '$points_spent'] } },
              },
            },
          ],
        );
      return new Map(
        (await groups.toArray()).map(({ _id, all, cancelled, used, points }) => [
          _id,
          { fulfilled: all - cancelled, cancelled, used, points: total(points) },
        ]),
      );
    },
  };
}

/** What redemptions add up to, and what was spent on them. */
export function talliesOf(rows: Rows<RedemptionDocument>) {
  return {
    async tallyByReward(
      workspaceId: string,
      filter: RedemptionFilter,
    ): Promise<(Tally & { rewardId: string })[]> {
      const stages = [{ $group: { _id: '$reward_id', ...TALLY } }];
      const groups = rows
        .of(workspaceId)
        .aggregate<{ _id: string; count: number; points: number }>(toFilter(filter), stages);
      return (await groups.toArray()).map(({ _id, count, points }) => ({
        rewardId: _id,
        count,
        points: total(points),
      }));
    },

    /** Tallies by day (UTC), oldest first. */
    async tallyByDay(
      workspaceId: string,
      filter: RedemptionFilter,
    ): Promise<(Tally & { day: string })[]> {
      const day = { $dateToString: { format: '%Y-%m-%d', date: '$redemption_date' } };
      const stages = [{ $group: { _id: day, ...TALLY } }];
      const groups = rows
        .of(workspaceId)
        .aggregate<{ _id: string; count: number; points: number }>(toFilter(filter), stages);
      const tallies = (await groups.toArray()).map(({ _id, count, points }) => ({
        day: _id,
        count,
        points: total(points),
      }));
      return tallies.sort((a, b) => (a.day < b.day ? -1 : 1));
    },
  };
}
