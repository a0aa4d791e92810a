import { type Session, unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { toDecimal, total, totalOf } from '@laurel/values/amount';
import type { Deps } from '../deps';

interface Sums {
  _id: string;
  count: number;
  spending: number;
  last: Date | null;
}

type Request = api.TransactionMetricsRequest;

/** Purchases and spending of clients: of all time, until a moment, or of a period. */
export async function getTransactionMetrics(
  deps: Pick<Deps, 'connection' | 'metrics' | 'events'>,
  request: Request,
): Promise<api.TransactionMetricsList> {
  const { since, until } = request;
  if (since !== undefined) return { metrics: await ofPeriod(deps, request, since) };
  if (until === undefined) return { metrics: await ofAllTime(deps, request) };
  return { metrics: await untilThen(deps, request, until) };
}

async function ofAllTime(
  { metrics }: Pick<Deps, 'metrics'>,
  { workspace_id: workspaceId, client_ids: ids }: Request,
  session?: Session,
): Promise<api.TransactionMetrics[]> {
  const found = await metrics.findMany(workspaceId, [...new Set(ids)], session);
  return [...found.values()].map((one) => ({
    client_id: one.clientId,
    transaction_count: one.transactionCount,
    total_spending: toDecimal(one.totalSpending),
    last_transaction_at: one.lastTransactionAt?.toISOString() ?? null,
  }));
}

/**
 * What stands less what came later, both as of one moment: figures of all time outlive the events that they were made of.
 * The last transaction is the last of all.
 */
async function untilThen(
  { connection, metrics, events }: Pick<Deps, 'connection' | 'metrics' | 'events'>,
  request: Request,
  until: string,
): Promise<api.TransactionMetrics[]> {
  return unitOfWork(connection, async (session) => {
    const standing = await ofAllTime({ metrics }, request, session);
    // Beside the alternatives, which no index is found by.
    const within = {
      event_timestamp: { $gte: new Date(until) },
      $or: after(until, request.until_id),
    };
    const later = await sumsOf({ events, session }, request, within);
    return standing.map((one) => {
      const { count = 0, spending = 0 } = later.get(one.client_id) ?? {};
      const { transaction_count, total_spending } = one;
      return {
        ...one,
        transaction_count: Math.max(0, transaction_count - count),
        total_spending: totalOf([total_spending, -toDecimal(total(spending))]),
      };
    });
  });
}

/** Of one moment the lower id came first: ids are made in the order of time. */
function upTo(until: string, id: string | undefined): object[] {
  const at = new Date(until);
  return [
    { event_timestamp: { $lt: at } },
    { event_timestamp: at, ...(id === undefined ? {} : { _id: { $lte: id } }) },
  ];
}

/** All that is not `upTo`. */
function after(until: string, id: string | undefined): object[] {
  const at = new Date(until);
  return [
    { event_timestamp: { $gt: at } },
    ...(id === undefined ? [] : [{ event_timestamp: at, _id: { $gt: id } }]),
  ];
}

async function ofPeriod(
  { events }: Pick<Deps, 'events'>,
  request: Request,
  since: string,
): Promise<api.TransactionMetrics[]> {
  const found = await sumsOf({ events }, request, {
    event_timestamp: {
      $gte: new Date(since),
      ...(request.until === undefined ? {} : { $lte: new Date(request.until) }),
    },
    ...(request.until === undefined ? {} : { $or: upTo(request.until, request.until_id) }),
  });
  return [...new Set(request.client_ids)].map((id) => {
    const row = found.get(id);
    return {
      client_id: id,
      transaction_count: row?.count ?? 0,
      total_spending: toDecimal(total(row?.spending ?? 0)),
      last_transaction_at: row?.last?.toISOString() ?? null,
    };
  });
}

/** What transactions within a time add up to, by client; clients without any are left out. */
async function sumsOf(
  { events, session }: Pick<Deps, 'events'> & { session?: Session },
  { workspace_id: workspaceId, client_ids: ids }: Request,
  within: object,
): Promise<Map<string, Sums>> {
  const isPurchase = { $eq: ['$event_type', 'purchase'] };
  const signed = { $cond: [isPurchase, '$amount', { $multiply: ['$amount', -1] }] };
  const matching = {
    client_id: { $in: [...new Set(ids)] },
    event_category: 'transaction',
    ...within,
  };
  const stages = [
    {
      $group: {
        _id: '$client_id',
        count: { $sum: { $cond: [isPurchase, 1, 0] } },
        spending: { $sum: signed },
        last: { $max: { $cond: [isPurchase, '$event_timestamp', null] } },
      },
    },
  ];
  const rows = await events.aggregate<Sums>(workspaceId, { matching, stages }, session);
  return new Map(rows.map((row) => [row._id, row]));
}
