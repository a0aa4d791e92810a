import Joi, { type ObjectSchema } from 'joi';
import { defineEvent, type EventDefinition } from './define';
import {
  amount,
  anyObject,
  count,
  id,
  name,
  nullableId,
  nullableText,
  sample,
  timestamp,
} from './fields';

/** An event of a client's trail as it is stored and as the API shows it (part 2, Event). */
export interface TrailEvent {
  id: string;
  workspace_id: string;
  pass_id: string | null;
  client_id: string | null;
  event_category: string;
  event_type: string;
  event_timestamp: string;
  source: string | null;
  external_id: string | null;
  /** Of refunds: what it says its sale was called. */
  original_external_id?: string | null;
  /** Of refunds: linked, not_found or exceeds; null where it names no sale. */
  refund_link?: string | null;
  metadata: Record<string, unknown>;
  amount: number | null;
  currency: string | null;
  field_name: string | null;
  old_value: string | null;
  new_value: string | null;
  /**
   * Of purchases and first installations: clients that became part of this one within the last month, the latest hundred at
   * most. Who hears of one here first need not wait for `clients.merged`, which may come later. Absent where there are none.
   */
  merged_clients?: string[];
}
export interface TransactionRecorded extends TrailEvent {
  amount: number;
  currency: string;
  /** The client's metrics after this event; null when no client is known. */
  client_metrics: { transaction_count: number; total_spending: number } | null;
  /** The client's own sales that a linked refund gives back. */
  refunded_sales?: RefundedSales & {
    /**
     * Linked refunds just before it, of some of these sales and some others, in their order. Events may arrive in
     * another one: who shares something out among the sales looks at these first.
     */
    earlier?: EarlierRefund[];
    /** Clients that were becoming part of this one: what they own may not have come over yet. Absent where there are none. */
    merging?: string[];
  };
}
/** Some sales, with the names that are theirs alone and what was paid for them. */
export interface RefundedSales {
  event_ids: string[];
  names: string[];
  amount: number;
  /** Their names that other sales of the client have, too; absent of refunds from before these were kept apart. */
  shared?: SharedSales[];
}
/** All sales of a client that have some names, of which a refund gives back only some. */
export interface SharedSales {
  event_ids: string[];
  names: string[];
  /** What was paid for all of them. */
  amount: number;
  /** How much of what the refund gives back is of these sales. */
  refunded: number;
}
export interface EarlierRefund extends RefundedSales {
  /** Of its own event. */
  refund_id: string;
  /** What it gave back of what was paid. */
  refunded: number;
}
export interface EventsDeleted {
  event_ids: string[];
}

const stored = {
  id: id(),
  workspace_id: id(),
  pass_id: nullableId(),
  client_id: nullableId(),
  event_category: name(),
  event_type: name(),
  event_timestamp: timestamp(),
  source: nullableText(),
  external_id: nullableText(),
  // Of refunds only.
  original_external_id: nullableText().optional(),
  refund_link: nullableText().optional(),
  metadata: anyObject(),
  amount: Joi.number().unsafe().allow(null).required(),
  currency: nullableText(),
  field_name: nullableText(),
  old_value: nullableText(),
  new_value: nullableText(),
};
/** What may complete a referral says whom its client took over. */
const completing = { ...stored, merged_clients: Joi.array().items(Joi.string()) };
const namedSales = {
  event_ids: Joi.array().items(Joi.string()).required(),
  names: Joi.array().items(Joi.string()).required(),
  amount: amount(),
};
const refundedSales = {
  ...namedSales,
  shared: Joi.array().items(Joi.object({ ...namedSales, refunded: amount() })),
};
const storedSchema = Joi.object<TrailEvent>(stored);
const completingSchema = Joi.object<TrailEvent>(completing);
const transactionSchema: ObjectSchema<TransactionRecorded> = Joi.object<TransactionRecorded>({
  ...completing,
  amount: amount(),
  currency: name(),
  client_metrics: Joi.object({ transaction_count: count(), total_spending: amount() })
    .allow(null)
    .required(),
  refunded_sales: Joi.object({
    ...refundedSales,
    earlier: Joi.array().items(
      Joi.object({ refund_id: id(), refunded: amount(), ...refundedSales }),
    ),
    merging: Joi.array().items(Joi.string()),
  }),
});

function storedExample(category: string, type: string): TrailEvent {
  return {
    id: sample.eventId,
    workspace_id: sample.workspaceId,
    pass_id: sample.passId,
    client_id: sample.clientId,
    event_category: category,
    event_type: type,
    event_timestamp: sample.at,
    source: 'api',
    external_id: null,
    metadata: {},
    amount: null,
    currency: null,
    field_name: null,
    old_value: null,
    new_value: null,
  };
}

const owned = { version: 1, source: 'clients' } as const;
/** What a shop says of a client beside what happened. */
const personal = { metadata: {}, old_value: null, new_value: null } as const;

function transaction<const Type extends string>(
  type: `transaction.${Type}`,
  description: string,
): EventDefinition<`transaction.${Type}`, TransactionRecorded> {
  return defineEvent({
    ...owned,
    type,
    webhook: type,
    description,
    schema: transactionSchema,
    example: {
      ...storedExample('transaction', type.slice('transaction.'.length)),
      amount: 12.5,
      currency: 'EUR',
      client_metrics: { transaction_count: 4, total_spending: 58.9 },
    },
    personal,
  });
}

function recorded<const Type extends `${string}.${string}`>(
  type: Type,
  description: string,
  schema = storedSchema,
): EventDefinition<Type, TrailEvent> {
  const [category = '', kind = ''] = type.split('.');
  const example = storedExample(category, kind === '*' ? 'newsletter_opened' : kind);
  return defineEvent({
    ...owned,
    ...{ type, webhook: type, description, schema, example, personal },
  });
}

/** Events recorded in clients' trails (part 2, Events). */
export const trailEvents = [
  transaction('transaction.purchase', 'A purchase was recorded.'),
  transaction('transaction.refund', 'A refund was recorded; it lowers total_spending.'),
  recorded('engagement.check_in', 'A client checked in.'),
  recorded('engagement.check_out', 'A client checked out.'),
  recorded('engagement.visit', 'A client visited.'),
  recorded('engagement.scan', 'A pass was scanned.'),
  recorded(
    'pass_lifecycle.pass_installed',
    'A pass was installed on its first device.',
    completingSchema,
  ),
  recorded('pass_lifecycle.pass_uninstalled', 'A pass was removed from its last device.'),
  recorded('pass_lifecycle.pass_registered', 'A pass was registered on a device.'),
  recorded('pass_lifecycle.template_changed', 'A pass has another template.'),
  recorded('custom.*', 'A custom event; the last part of the type is its event_type.'),
  defineEvent({
    ...owned,
    type: 'posted_loyalty.*',
    webhook: 'loyalty.*',
    description:
      'An event of category loyalty posted from outside. It fires rules and moves no points; the type keeps it apart from what the ledger did, webhooks carry it under the same name.',
    schema: storedSchema,
    example: storedExample('loyalty', 'points_earned'),
    personal,
  }),
  defineEvent({
    ...owned,
    type: 'events.deleted',
    webhook: null,
    description:
      'Events were deleted from the trail; read models drop them. Points are not undone.',
    schema: Joi.object<EventsDeleted>({
      event_ids: Joi.array().items(Joi.string().guid()).required(),
    }),
    example: { event_ids: [sample.eventId] },
  }),
] as const;
