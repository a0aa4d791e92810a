import { toDecimal, unitsOf } from '@laurel/amount';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';

interface Sums {
  _id: string;
  count: number;
  spending: number;
  last: Date | null;
}

/** Purchases and spending of clients, of all time or since a moment. */
export async function getTransactionMetrics(
  deps: Pick<Deps, 'metrics' | 'events'>,
  request: api.TransactionMetricsRequest,
): Promise<api.TransactionMetricsList> {
  return {
    metrics: await (request.since === undefined ? ofAllTime(deps, request) : since(deps, request)),
  };
}

async function ofAllTime(
  { metrics }: Pick<Deps, 'metrics'>,
  { workspace_id: workspaceId, client_ids: ids }: api.TransactionMetricsRequest,
): Promise<api.TransactionMetrics[]> {
  const found = await metrics.findMany(workspaceId, [...new Set(ids)]);
  return [...found.values()].map((one) => ({
    client_id: one.clientId,
    transaction_count: one.transactionCount,
    total_spending: toDecimal(one.totalSpending),
    last_transaction_at: one.lastTransactionAt?.toISOString() ?? null,
  }));
}

/** Of one moment the lower id came first: ids are made in the order of time. */
function upTo(until: string, id: string | undefined): object[] {
  const at = new Date(until);
  return [
    { event_timestamp: { $lt: at } },
    { event_timestamp: at, ...(id === undefined ? {} : { _id: { $lte: id } }) },
  ];
}

async function since(
  { events }: Pick<Deps, 'events'>,
  request: api.TransactionMetricsRequest,
): Promise<api.TransactionMetrics[]> {
  const ids = [...new Set(request.client_ids)];
  const isPurchase = { $eq: ['$event_type', 'purchase'] };
  const signed = { $cond: [isPurchase, '$amount', { $multiply: ['$amount', -1] }] };
  const rows = await events.aggregate<Sums>([
    {
      $match: {
        workspace_id: request.workspace_id,
        client_id: { $in: ids },
        event_category: 'transaction',
        event_timestamp: { $gte: new Date(request.since!) },
        ...(request.until === undefined ? {} : { $or: upTo(request.until, request.until_id) }),
      },
    },
    {
      $group: {
        _id: '$client_id',
        count: { $sum: { $cond: [isPurchase, 1, 0] } },
        spending: { $sum: signed },
        last: { $max: { $cond: [isPurchase, '$event_timestamp', null] } },
      },
    },
  ]);
  const found = new Map(rows.map((row) => [row._id, row]));
  return ids.map((id) => {
    const row = found.get(id);
    return {
      client_id: id,
      transaction_count: row?.count ?? 0,
      total_spending: toDecimal(unitsOf(row?.spending ?? 0)),
      last_transaction_at: row?.last?.toISOString() ?? null,
    };
  });
}
