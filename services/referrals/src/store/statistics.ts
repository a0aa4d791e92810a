import { REFERRAL_STATUSES, type ReferralStatus } from '@laurel/contract';
import type { Connection, Session } from '@laurel/mongo';
import type { StatusCounts } from '../domain/referral';
import type { ReferralDocument } from './mapping';
import { COLLECTION } from './referrals';

const TOP_COUNT = 10;

export interface TopReferrer {
  clientId: string;
  completed: number;
  pending: number;
}

/** Referrals, counted. */
export function createStatisticsStore(connection: Connection) {
  const referrals = connection.collection<ReferralDocument>(COLLECTION);

  const countBy = async (match: object): Promise<StatusCounts> => {
    const rows = await referrals
      .aggregate<{ _id: ReferralStatus; count: number }>([
        { $match: match },
        { $group: { _id: '$status', count: { $sum: 1 } } },
      ])
      .toArray();
    const counts = new Map(rows.map(({ _id, count }) => [_id, count]));
    return Object.fromEntries(
      REFERRAL_STATUSES.map((status) => [status, counts.get(status) ?? 0]),
    ) as StatusCounts;
  };

  const countPerDay = async (
    workspaceId: string,
    column: 'date_created' | 'completed_at',
    from: Date,
  ): Promise<Map<string, number>> => {
    const isCompleted = column === 'completed_at' ? { status: 'completed' } : {};
    const day = { $dateToString: { format: '%Y-%m-%d', date: `$${column}` } };
    const rows = await referrals
      .aggregate<{ _id: string; count: number }>([
        { $match: { workspace_id: workspaceId, [column]: { $gte: from }, ...isCompleted } },
        { $group: { _id: day, count: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(rows.map(({ _id, count }) => [_id, count]));
  };

  return {
    ofWorkspace: (workspaceId: string) => countBy({ workspace_id: workspaceId }),

    ofReferrer: (workspaceId: string, clientId: string) =>
      countBy({ workspace_id: workspaceId, referrer_client_id: clientId }),

    /** Made per day (UTC). */
    createdPerDay: (workspaceId: string, from: Date) =>
      countPerDay(workspaceId, 'date_created', from),

    /** Completed per day (UTC). */
    completedPerDay: (workspaceId: string, from: Date) =>
      countPerDay(workspaceId, 'completed_at', from),

    /** Whoever brought most since then: completed since, and made since and still pending. */
    async topReferrers(workspaceId: string, from: Date): Promise<TopReferrer[]> {
      const countOf = (status: ReferralStatus) => ({
        $sum: { $cond: [{ $eq: ['$status', status] }, 1, 0] },
      });
      const rows = await referrals
        .aggregate<{ _id: string; completed: number; pending: number }>([
          {
            $match: {
              workspace_id: workspaceId,
              referrer_client_id: { $ne: null },
              $or: [
                { status: 'completed', completed_at: { $gte: from } },
                { status: 'pending', date_created: { $gte: from } },
              ],
            },
          },
          {
            $group: {
              _id: '$referrer_client_id',
              completed: countOf('completed'),
              pending: countOf('pending'),
            },
          },
          { $sort: { completed: -1, pending: -1, _id: 1 } },
          { $limit: TOP_COUNT },
        ])
        .toArray();
      return rows.map(({ _id, completed, pending }) => ({ clientId: _id, completed, pending }));
    },

    async countCompleted(
      workspaceId: string,
      clientIds: readonly string[],
      { from, until }: { from: Date | null; until: Date | null },
    ): Promise<Map<string, number>> {
      const rows = await referrals
        .aggregate<{ _id: string; count: number }>([
          {
            $match: {
              workspace_id: workspaceId,
              referrer_client_id: { $in: [...clientIds] },
              status: 'completed',
              ...(from || until
                ? {
                    completed_at: {
                      ...(from ? { $gte: from } : {}),
                      ...(until ? { $lte: until } : {}),
                    },
                  }
                : {}),
            },
          },
          { $group: { _id: '$referrer_client_id', count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(rows.map(({ _id, count }) => [_id, count]));
    },

    /** In the caller's unit of work, so that the count holds when it commits. */
    completedBy(workspaceId: string, clientId: string, session: Session): Promise<number> {
      const filter = {
        workspace_id: workspaceId,
        referrer_client_id: clientId,
        status: 'completed' as const,
      };
      return referrals.countDocuments(filter, { session });
    },
  };
}
