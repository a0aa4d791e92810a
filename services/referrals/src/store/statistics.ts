import { REFERRAL_STATUSES, type ReferralStatus } from '@laurel/contract';
import type { Connection, Session, TenantRows } from '@laurel/mongo';
import type { StatusCounts } from '../domain/referral';
import type { ReferralDocument } from './mapping';
import { referrals } from './referrals';

const TOP_COUNT = 10;

export interface TopReferrer {
  clientId: string;
  completed: number;
  pending: number;
}

/** Referrals, counted. */
export function createStatisticsStore(connection: Connection) {
  const rows = referrals.open(connection);

  return {
    ofWorkspace: (workspaceId: string) => countByStatus(rows.of(workspaceId)),

    ofReferrer: (workspaceId: string, clientId: string) =>
      countByStatus(rows.of(workspaceId), { referrer_client_id: clientId }),

    /** Made per day (UTC). */
    createdPerDay: (workspaceId: string, from: Date) =>
      countPerDay(rows.of(workspaceId), 'date_created', from),

    /** Completed per day (UTC). */
    completedPerDay: (workspaceId: string, from: Date) =>
      countPerDay(rows.of(workspaceId), 'completed_at', from),

    /** Those who brought most since then: completed since, and made since and still pending. */
    async topReferrers(workspaceId: string, from: Date): Promise<TopReferrer[]> {
      const countOf = (status: ReferralStatus) => ({
        $sum: { $cond: [{ $eq: ['$status', status] }, 1, 0] },
      });
      const filter = {
        referrer_client_id: { $ne: null },
        $or: [
          { status: 'completed' as const, completed_at: { $gte: from } },
          { status: 'pending' as const, date_created: { $gte: from } },
        ],
      };
      const groups = rows
        .of(workspaceId)
        .aggregate<{ _id: string; completed: number; pending: number }>(filter, [
          {
            $group: {
              _id: '$referrer_client_id',
              completed: countOf('completed'),
              pending: countOf('pending'),
            },
          },
          { $sort: { completed: -1, pending: -1, _id: 1 } },
          { $limit: TOP_COUNT },
        ]);
      return (await groups.toArray()).map(({ _id, completed, pending }) => ({
        clientId: _id,
        completed,
        pending,
      }));
    },

    async countCompleted(
      workspaceId: string,
      clientIds: readonly string[],
      { from, until }: { from: Date | null; until: Date | null },
    ): Promise<Map<string, number>> {
      const filter = {
        referrer_client_id: { $in: [...clientIds] },
        status: 'completed' as const,
        ...(from || until
          ? { completed_at: { ...(from ? { $gte: from } : {}), ...(until ? { $lte: until } : {}) } }
          : {}),
      };
      return countBy(rows.of(workspaceId), '$referrer_client_id', filter);
    },

    /** In the caller's unit of work, so that the count holds when it commits. */
    completedBy(workspaceId: string, clientId: string, session: Session): Promise<number> {
      const filter = {
        referrer_client_id: clientId,
        status: 'completed' as const,
      };
      return rows.of(workspaceId).count(filter, { session });
    },
  };
}

async function countByStatus(
  rows: TenantRows<ReferralDocument>,
  filter: object = {},
): Promise<StatusCounts> {
  const counts = await countBy(rows, '$status', filter);
  return Object.fromEntries(
    REFERRAL_STATUSES.map((status) => [status, counts.get(status) ?? 0]),
  ) as StatusCounts;
}

/** By UTC day, YYYY-MM-DD. */
function countPerDay(
  rows: TenantRows<ReferralDocument>,
  column: 'date_created' | 'completed_at',
  from: Date,
): Promise<Map<string, number>> {
  const isCompleted = column === 'completed_at' ? { status: 'completed' } : {};
  const day = { $dateToString: { format: '%Y-%m-%d', date: `$${column}` } };
  return countBy(rows, day, { [column]: { $gte: from }, ...isCompleted });
}

/** How many there are of each value of an expression. */
async function countBy(
  rows: TenantRows<ReferralDocument>,
  expression: string | object,
  filter: object,
): Promise<Map<string, number>> {
  const groups = rows.aggregate<{ _id: string; count: number }>(filter, [
    { $group: { _id: expression, count: { $sum: 1 } } },
  ]);
  return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
}
