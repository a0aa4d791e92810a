import { type CloudEvent, createEvent, type TrailEvent as TrailEventData } from '@laurel/events';
import { toDecimal, type Units } from '@laurel/values/amount';
import type { RefundLink, SharedSales, TrailEvent } from '../domain/trail-event';

/** A client's totals right after a transaction. */
export interface SpendingAfter {
  transactionCount: number;
  totalSpending: Units;
}

/** What an event carries beside what is stored of it. */
interface Beside {
  spending: SpendingAfter | null;
  /** Clients that became part of its own lately. */
  merged?: readonly string[] | undefined;
}

type TrailEventType = Extract<
  Parameters<typeof createEvent>[0],
  `engagement.${string}` | `pass_lifecycle.${string}` | `custom.${string}`
>;

/**
 * What the other services hear of an event that came in from outside; null where a changed field
 * is of no client. It has the id of the trail's own record.
 */
export function toDomainEvent(row: TrailEvent, { spending, merged }: Beside): CloudEvent | null {
  const envelope = {
    id: row.id,
    workspaceId: row.workspace_id,
    subject: row.client_id ?? row.pass_id ?? row.id,
  };
  const stored = { ...toEventData(row), ...(merged ? { merged_clients: [...merged] } : {}) };
  switch (row.event_category) {
    case 'transaction': {
      const data = {
        ...stored,
        amount: stored.amount!,
        currency: stored.currency!,
        ...refundOf(row),
        client_metrics: spending && {
          transaction_count: spending.transactionCount,
          total_spending: toDecimal(spending.totalSpending),
        },
      };
      const type = row.event_type === 'refund' ? 'transaction.refund' : 'transaction.purchase';
      return createEvent(type, { ...envelope, data });
    }
    case 'field_change':
      return row.client_id === null
        ? null
        : createEvent('clients.field_change', {
            ...envelope,
            data: {
              client_id: row.client_id,
              field_name: row.field_name!,
              old_value: row.old_value,
              new_value: row.new_value,
              // Senders may leave it empty; a change of a field names where it came from.
              source: row.source || 'api',
              event_type: row.event_type as 'field_updated',
              event_id: row.id,
              pass_id: row.pass_id,
              event_timestamp: stored.event_timestamp,
              external_id: row.external_id,
              metadata: row.metadata,
            },
          });
    case 'loyalty':
      return createEvent(`posted_loyalty.${row.event_type}`, { ...envelope, data: stored });
    default: {
      const type = `${row.event_category}.${row.event_type}` as TrailEventType;
      return createEvent(type, { ...envelope, data: stored });
    }
  }
}

/** Whether it may be what a referral of its client waits for. */
export const mayComplete = (row: TrailEvent): boolean =>
  row.event_category === 'transaction'
    ? row.event_type === 'purchase' && (row.amount ?? 0) > 0
    : row.event_category === 'pass_lifecycle' && row.event_type === 'pass_installed';

/** What the ledger must know to take back what the sales earned. */
function refundOf({ refund_link: link }: TrailEvent) {
  if (link?.state !== 'linked') return {};
  const earlier = link.earlier?.map(({ id, amount, ...sales }) => {
    return { refund_id: id, refunded: toDecimal(amount), ...salesOf(sales) };
  });
  const { merging } = link;
  return {
    refunded_sales: {
      ...salesOf(link),
      ...(earlier ? { earlier } : {}),
      ...(merging ? { merging } : {}),
    },
  };
}

const salesOf = ({
  saleIds,
  names,
  paid,
  shared,
}: Pick<RefundLink, 'saleIds' | 'names' | 'paid' | 'shared'>) => ({
  event_ids: saleIds,
  names,
  amount: toDecimal(paid),
  ...(shared ? { shared: shared.map(sharedOf) } : {}),
});

const sharedOf = ({ saleIds, names, paid, refunded }: SharedSales) => ({
  event_ids: saleIds,
  names,
  amount: toDecimal(paid),
  refunded: toDecimal(refunded),
});

const isRefund = ({ event_category, event_type }: TrailEvent): boolean =>
  event_category === 'transaction' && event_type === 'refund';

/** The event as the API shows it and domain events carry it. */
export function toEventData(row: TrailEvent): TrailEventData {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    pass_id: row.pass_id,
    client_id: row.client_id,
    event_category: row.event_category,
    event_type: row.event_type,
    event_timestamp: row.event_timestamp.toISOString(),
    source: row.source,
    external_id: row.external_id,
    ...(isRefund(row)
      ? {
          original_external_id: row.original_external_id,
          refund_link: row.refund_link?.state ?? null,
        }
      : {}),
    metadata: row.metadata,
    amount: row.amount === null ? null : toDecimal(row.amount),
    currency: row.currency,
    field_name: row.field_name,
    old_value: row.old_value,
    new_value: row.new_value,
  };
}
