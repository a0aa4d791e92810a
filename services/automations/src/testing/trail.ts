import type { clients as api } from '@laurel/rpc';

/** What the clients service says of the events on its record. */

/** Newest first; those of one moment by id. */
export function pageOfEvents(
  trail: readonly api.Event[],
  request: api.ListEventsRequest,
): api.EventPage {
  const { client_id, event_category, event_type, from_date = '', to_date = '~' } = request;
  const isAsked = (event: api.Event) =>
    (client_id === undefined || event.client_id === client_id) &&
    (event_category === undefined || event.event_category === event_category) &&
    (event_type === undefined || event.event_type === event_type) &&
    event.event_timestamp >= from_date &&
    event.event_timestamp <= to_date;
  const order = ({ event_timestamp, id }: api.Event) => `${event_timestamp} ${id}`;
  const all = trail.filter(isAsked).sort((a, b) => (order(a) < order(b) ? 1 : -1));
  const from = Number(request.cursor ?? 0);
  const next = from + request.limit < all.length ? String(from + request.limit) : null;
  return { events: all.slice(from, from + request.limit), total: all.length, next_cursor: next };
}

/** The metrics of transactions of each client who is asked for. */
export function transactionMetrics(
  trail: readonly api.Event[],
  request: api.TransactionMetricsRequest,
): api.TransactionMetricsList {
  const metrics = request.client_ids.map((id) => ({
    client_id: id,
    ...spendingOf(trail, id, request),
  }));
  return { metrics };
}

function spendingOf(
  trail: readonly api.Event[],
  clientId: string,
  { since = '', until = '~', until_id = '~' }: Partial<api.TransactionMetricsRequest> = {},
) {
  const own = trail.filter(
    ({ id, event_timestamp: at, ...event }) =>
      event.client_id === clientId &&
      event.event_category === 'transaction' &&
      at >= since &&
      (at < until || (at === until && id <= until_id)),
  );
  const purchases = own.filter(({ event_type }) => event_type === 'purchase');
  const cents = own.reduce(
    (sum, { event_type, amount }) =>
      sum + (event_type === 'refund' ? -1 : 1) * Math.round((amount ?? 0) * 100),
    0,
  );
  const last = purchases.map(({ event_timestamp }) => event_timestamp).sort();
  return {
    transaction_count: purchases.length,
    total_spending: cents / 100,
    last_transaction_at: last.at(-1) ?? null,
  };
}
