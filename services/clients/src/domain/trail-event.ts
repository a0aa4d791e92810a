import { type EventCategory, isImpersonalChange, type RefundLinkState } from '@laurel/contract';
import type { Json, JsonObject } from '@laurel/errors';
import { negate, type Units } from '@laurel/values/amount';
import type { FieldChange } from './client';

/** Fields whose changes stay readable in the trail of a client who is gone (part 1, DELETE :ws/clients/:id). */
const KEPT_FIELDS: readonly (string | null)[] = ['status', 'marketing_consent'];

/** What stands in place of a name once its owner was erased. */
export const ANONYMIZED_NAME = 'Anonymized client';

/** What a refund is known to give back. */
export interface RefundLink {
  state: RefundLinkState;
  /** Ids of the sales; several under one name are a payment that was split. Empty unless linked. */
  saleIds: string[];
  /** Every name of the sales that is theirs alone: what their earns may call them. */
  names: string[];
  /** What was paid for all of them. */
  paid: Units;
  /** Their names that other sales of the client have, too; absent where there are none, and of refunds from before. */
  shared?: SharedSales[];
  /** Clients whose merge into its own was not through when it was linked; absent where there were none. */
  merging?: string[];
  /** Absent of refunds from before it was noted. */
  linkedAt?: Date;
  /** Refunds before it that share some of its sales, but not all of the same, in their order; absent where there are none. */
  earlier?: EarlierRefund[];
}

/** All sales of a client under some names, of which a refund means only some. */
export interface SharedSales {
  saleIds: string[];
  names: string[];
  /** What was paid for all of them. */
  paid: Units;
  /** How much of what a refund gives back is of these sales. */
  refunded: Units;
}

/** A refund that others must not come before where points are taken back: what it says is what its own event said. */
export interface EarlierRefund extends Pick<RefundLink, 'saleIds' | 'names' | 'paid' | 'shared'> {
  id: string;
  amount: Units;
}

/** One thing that happened: a row of the trail. */
export interface TrailEvent {
  id: string;
  workspace_id: string;
  pass_id: string | null;
  client_id: string | null;
  event_category: EventCategory;
  event_type: string;
  event_timestamp: Date;
  source: string | null;
  external_id: string | null;
  metadata: JsonObject;
  amount: Units | null;
  currency: string | null;
  field_name: string | null;
  old_value: string | null;
  new_value: string | null;
  client_name_snapshot: string | null;
  /** Change of what the client owns, signed; only on loyalty events. */
  points_delta: Units | null;
  /** Old and new value survive scrubbing. */
  keeps_values: boolean;
  /** What a refund says its sale was called. */
  original_external_id: string | null;
  /** Which sales a refund gives back; null for all else, and for one that names none. */
  refund_link: RefundLink | null;
  /** Since when its client is gone; starts the retention. */
  orphaned_at: Date | null;
}

export interface EventOrigin {
  id: string;
  workspaceId: string;
  clientId: string | null;
  passId: string | null;
  clientName: string | null;
  timestamp: Date;
  source: string | null;
}

/** An event with nothing but its origin, to be completed by its category. */
export function blankEvent(
  category: EventCategory,
  eventType: string,
  origin: EventOrigin,
): TrailEvent {
  return {
    id: origin.id,
    workspace_id: origin.workspaceId,
    pass_id: origin.passId,
    client_id: origin.clientId,
    event_category: category,
    event_type: eventType,
    event_timestamp: origin.timestamp,
    source: origin.source,
    external_id: null,
    original_external_id: null,
    refund_link: null,
    metadata: {},
    amount: null,
    currency: null,
    field_name: null,
    old_value: null,
    new_value: null,
    client_name_snapshot: origin.clientName,
    points_delta: null,
    keeps_values: category !== 'field_change',
    orphaned_at: null,
  };
}

/** The trail's record of one changed field. */
export function fieldChangeEvent(change: FieldChange, origin: EventOrigin): TrailEvent {
  const values = { old_value: valueText(change.before), new_value: valueText(change.after) };
  return {
    ...blankEvent('field_change', 'field_updated', origin),
    field_name: change.field,
    ...values,
    keeps_values: staysReadable(change.field, Object.values(values)),
  };
}

/** The event without anything that tells whose it was (part 1, DELETE :ws/clients/:id). */
export function scrubbed(event: TrailEvent): TrailEvent {
  const kept = event.keeps_values;
  return {
    ...event,
    old_value: kept ? event.old_value : null,
    new_value: kept ? event.new_value : null,
    client_name_snapshot: event.client_id === null ? null : ANONYMIZED_NAME,
  };
}

/** Whether the values of an event from outside survive scrubbing. */
export function keepsValues(
  category: EventCategory,
  { field_name, old_value, new_value }: Pick<TrailEvent, 'field_name' | 'old_value' | 'new_value'>,
): boolean {
  return category !== 'field_change' || staysReadable(field_name, [old_value, new_value]);
}

const staysReadable = (field: string | null, values: readonly (string | null)[]): boolean =>
  KEPT_FIELDS.includes(field) && isImpersonalChange(field, values);

/** A value as the trail keeps it: text, or null. */
export function valueText(value: Json): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const LOWERING_TYPES: readonly string[] = ['points_spent', 'points_expired'];

/** The change that a loyalty event from outside speaks of: spent and expired points lower. */
export function signedPoints(eventType: string, amount: Units | null): Units | null {
  if (amount === null) return null;
  return LOWERING_TYPES.includes(eventType) && amount > 0 ? negate(amount) : amount;
}
