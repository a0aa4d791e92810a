import type { Rows, Session } from '@laurel/mongo';
import { total } from '@laurel/values/amount';
import { type Came, STEPS_MAX } from '../domain/segments/running-sum';
import type { Told } from '../domain/segments/told';
import type { Complete } from '../domain/segments/whole-trail';
import type { EventDocument } from './event-document';
import { EVENT_ORDERS } from './event-queries';

/** The trail of one client, as a unit of work sees it. */
export interface ClientTrail {
  workspaceId: string;
  clientId: string;
  session: Session;
}

const TOLD = {
  event_category: 1,
  event_type: 1,
  event_timestamp: 1,
  amount: 1,
  points_delta: 1,
  'metadata.role': 1,
  'metadata.points_ledger_id': 1,
} as const;

const BATCH = 1_000;

/** What `spendingOf` says of a row. */
const SPENT: Counted = {
  matching: { event_category: 'transaction', amount: { $ne: null } },
  amount: {
    $cond: [{ $eq: ['$event_type', 'refund'] }, { $multiply: ['$amount', -1] }, '$amount'],
  },
};

/** What `earningOf` says of a row. */
const EARNED: Counted = {
  matching: {
    event_type: { $in: ['points_earned', 'points_adjusted'] },
    points_delta: { $gt: 0 },
  },
  amount: { $cond: [{ $eq: ['$metadata.points_ledger_id', '$_id'] }, '$points_delta', 0] },
};

interface Counted {
  matching: object;
  amount: object;
}

/** What profiles are made of. */
export function createClientTrail(rows: Rows<EventDocument>) {
  return {
    /** The newest rows that come before one, but for some that are passed over, the newest first. */
    async newestTold(
      { workspaceId, clientId, session }: ClientTrail,
      {
        limit,
        before,
        but,
      }: { limit: number; before?: Pick<Told, 'id' | 'event_timestamp'>; but?: Complete },
    ): Promise<Told[]> {
      const passedOver = [...(before ? [upTo(before)] : []), ...(but ? rowsOf(but) : [])];
      const filter: object = {
        client_id: clientId,
        ...(before ? { event_timestamp: { $lte: before.event_timestamp } } : {}),
        ...(passedOver.length > 0 ? { $nor: passedOver } : {}),
      };
      const found = await rows
        .of(workspaceId)
        .find(filter, { session, hint: EVENT_ORDERS.ofClient })
        .project<Omit<Told, 'id'> & { _id: string }>(TOLD)
        .sort({ event_timestamp: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id: id, ...row }) => ({ ...row, id, metadata: row.metadata ?? {} }));
    },

    /** Referrals of the client that were completed. */
    countReferred: ({ workspaceId, clientId, session }: ClientTrail): Promise<number> =>
      rows.of(workspaceId).count(
        {
          client_id: clientId,
          event_category: 'referral',
          event_type: 'referral_completed',
          'metadata.role': 'referrer',
        },
        { session },
      ),

    /** What was spent, as finely as a profile keeps it and no longer than that. */
    amountsSpent: (trail: ClientTrail): Promise<Came[]> => amountsOf(rows, trail, SPENT),

    /** What was earned, likewise. */
    amountsEarned: (trail: ClientTrail): Promise<Came[]> => amountsOf(rows, trail, EARNED),
  };
}

/** The row itself and those of its moment that come before it. */
const upTo = ({ id, event_timestamp }: Pick<Told, 'id' | 'event_timestamp'>) => ({
  event_timestamp,
  _id: { $gte: id },
});

function rowsOf({ kinds, customTypes }: Complete): object[] {
  const categories = [...new Set(kinds.map((kind) => kind.event_category))];
  const complete = categories.map((event_category) => {
    const own = kinds.filter((kind) => kind.event_category === event_category);
    return { event_category, event_type: { $in: own.map((kind) => kind.event_type) } };
  });
  if (customTypes === null) return complete;
  return [...complete, { event_category: 'custom', event_type: { $nin: customTypes } }];
}

/** Each moment by itself as far as all may be kept, and hours before: an hour is the finest that moments are put together by. */
async function amountsOf(
  rows: Rows<EventDocument>,
  { workspaceId, clientId, session }: ClientTrail,
  { matching, amount }: Counted,
): Promise<Came[]> {
  const own = { client_id: clientId, ...matching };
  const counted = [
    { $project: { event_timestamp: 1, amount } },
    { $match: { amount: { $ne: 0 } } },
  ];
  const moments = await rows
    .of(workspaceId)
    .aggregate<{ _id: Date; amount: number }>(
      own,
      [
        ...counted,
        { $group: { _id: '$event_timestamp', amount: { $sum: '$amount' } } },
        { $match: { amount: { $ne: 0 } } },
        { $sort: { _id: -1 } },
        { $limit: STEPS_MAX + 1 },
      ],
      { session },
    )
    .toArray();
  const came = moments.map(({ _id: at, amount: sum }) => ({ at, amount: total(sum) }));
  if (came.length <= STEPS_MAX) return came;
  const hours = rows.of(workspaceId).aggregate<{ at: Date; amount: number }>(
    { ...own, event_timestamp: { $lt: came.at(-1)!.at } },
    [
      ...counted,
      {
        $group: {
          _id: { $dateToString: { format: '%Y-%m-%dT%H', date: '$event_timestamp' } },
          at: { $max: '$event_timestamp' },
          amount: { $sum: '$amount' },
        },
      },
    ],
    { session, batchSize: BATCH },
  );
  for await (const { at, amount: sum } of hours) came.push({ at, amount: total(sum) });
  return came;
}
