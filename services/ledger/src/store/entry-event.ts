import { type CloudEvent, createEvent, type PointsMoved } from '@laurel/events';
import { type Actor, runInContext, systemContext } from '@laurel/lifecycle';
import { toDecimal, unitsOf } from '@laurel/values/amount';
import type { EntryDocument } from './documents';

type PointsEvent =
  | 'loyalty.points_earned'
  | 'loyalty.points_spent'
  | 'loyalty.points_adjusted'
  | 'loyalty.points_expired'
  | 'loyalty.points_matured'
  | 'loyalty.points_locked'
  | 'loyalty.points_unlocked'
  | 'loyalty.points_cancelled'
  | 'loyalty.points_refunded';

/** The event that an entry is. Its id is the entry's, so that publishing it again publishes the same event. */
export function toEvent(entry: EntryDocument): CloudEvent {
  const { cause } = entry;
  const context = systemContext({
    requestId: cause.request_id,
    correlationId: cause.correlation_id,
    causationId: cause.causation_id,
    chain: cause.chain,
    depth: cause.depth,
    actor: { type: entry.actor_type as Actor['type'], id: entry.actor_id },
    workspaceId: entry.workspace_id,
    ...(cause.traceparent === undefined ? {} : { traceparent: cause.traceparent }),
  });
  const envelope = {
    id: entry._id,
    workspaceId: entry.workspace_id,
    subject: entry.client_id,
    time: entry.created_at,
  };
  return runInContext(context, () => {
    const data = dataOf(entry);
    if (!entry.counterpart) return createEvent(eventTypeOf(entry), { ...envelope, data });
    const { client_id, wallet_id, entry_id } = entry.counterpart;
    const counterpart = { client_id, client_wallet_id: wallet_id, entry_id };
    return createEvent('loyalty.points_transferred', {
      ...envelope,
      data: { ...data, counterpart },
    });
  });
}

function eventTypeOf({ type, source_type }: EntryDocument): PointsEvent {
  switch (type) {
    case 'earn':
      return 'loyalty.points_earned';
    case 'spend':
      return 'loyalty.points_spent';
    case 'expire':
      return 'loyalty.points_expired';
    case 'lock':
      return 'loyalty.points_locked';
    case 'unlock':
      return source_type === 'maturation' ? 'loyalty.points_matured' : 'loyalty.points_unlocked';
    case 'cancel':
      return source_type === 'refund' ? 'loyalty.points_refunded' : 'loyalty.points_cancelled';
    default:
      return 'loyalty.points_adjusted';
  }
}

function dataOf(entry: EntryDocument): PointsMoved {
  const decimal = (stored: number): number => toDecimal(unitsOf(stored));
  const { after } = entry;
  return {
    entry: {
      id: entry._id,
      client_wallet_id: entry.wallet_id,
      client_id: entry.client_id,
      workspace_id: entry.workspace_id,
      type: entry.type,
      amount: decimal(entry.amount),
      balance_after: decimal(after.active),
      status: entry.first_status,
      source_type: entry.source_type,
      source_id: entry.source_id,
      external_id: entry.external_id,
      expires_at: entry.expires_at?.toISOString() ?? null,
      description: entry.note?.description ?? null,
      metadata: entry.note?.metadata ?? {},
      created_at: entry.created_at.toISOString(),
      sequence: entry.sequence,
    },
    wallet: {
      id: entry.wallet_id,
      wallet_type_id: entry.wallet_type_id,
      wallet_type_code: entry.wallet_type_code,
      active_balance: decimal(after.active),
      pending_balance: decimal(after.pending),
      locked_balance: decimal(after.locked),
      total_earned: decimal(after.earned),
      total_spent: decimal(after.spent),
      total_expired: decimal(after.expired),
    },
    client_id: entry.client_id,
    points_delta: decimal(entry.change.active),
  };
}
