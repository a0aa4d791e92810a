import { Joi } from '@laurel/config';
import type { Json, JsonObject } from '@laurel/errors';
import { FINDERS, isKept, type ReadEvent, Unreadable } from '../../../domain/read-event';
import { customerIdMapping, type PosConfig } from './config';

/** Keeps a till's numbers apart from ids that other systems give their events. */
const ID_PREFIX = 'pos:';

/** Of a transaction, in characters. */
export const ID_LENGTH_MAX = 200;
const idSchema = Joi.alternatives(Joi.string().min(1).max(ID_LENGTH_MAX), Joi.number().integer());

/** A sale or refund as the till tells it (README.md). */
export interface Transaction {
  id: string | number;
  type: 'purchase' | 'refund';
  amount: number;
  /** The id of the sale that a refund gives back. */
  refund_of?: string | number | null;
  currency?: string | null;
  created_at: string;
  location_id?: number | null;
  customer?: JsonObject | null;
  items?: Json[] | null;
  metadata?: JsonObject | null;
}

const transactionSchema = Joi.object<Transaction>({
  id: idSchema.required(),
  type: Joi.string().valid('purchase', 'refund').required(),
  amount: Joi.number().min(0).required(),
  refund_of: idSchema.allow(null),
  currency: Joi.string().allow(null),
  created_at: Joi.string().isoDate().required(),
  location_id: Joi.number().integer().allow(null),
  customer: Joi.object().unknown(true).allow(null),
  items: Joi.array().allow(null),
  metadata: Joi.object().unknown(true).allow(null),
}).unknown(true);

/** Throws Unreadable with everything that is wrong. */
export function requireTransaction(value: Json | undefined): Transaction {
  const { value: read, error } = transactionSchema.validate(value ?? null, {
    abortEarly: false,
    convert: false,
    errors: { wrap: { label: false } },
  });
  if (error) throw new Unreadable(`the transaction cannot be read: ${error.message}`);
  return read;
}

/** The event of a transaction; null where no known client bought, or at a location that takes no part. */
export function toEvent(transaction: Transaction, config: PosConfig): ReadEvent | null {
  const location = transaction.location_id ?? config.default_location_id ?? null;
  if (!takesPart(location, config)) return null;
  const client = hintsOf(transaction.customer ?? {}, config);
  if (client.length === 0) return null;
  const metadata = {
    ...transaction.metadata,
    transaction_id: transaction.id,
    ...(location === null ? {} : { location_id: location }),
  };
  const withItems = { ...metadata, ...(transaction.items ? { items: transaction.items } : {}) };
  return {
    eventCategory: 'transaction',
    eventType: transaction.type,
    eventTimestamp: transaction.created_at,
    amount: transaction.amount,
    ...(transaction.currency ? { currency: transaction.currency } : {}),
    externalId: ID_PREFIX + transaction.id,
    ...refundedSale(transaction),
    // A sale counts however long its receipt is.
    metadata: isKept(withItems) ? withItems : metadata,
    client,
  };
}

/** Sales are known to the trail by their prefixed ids. */
function refundedSale({ type, refund_of: of }: Transaction): Pick<ReadEvent, 'originalExternalId'> {
  if (type !== 'refund' || of === null || of === undefined) return {};
  const named = String(of);
  return { originalExternalId: named.startsWith(ID_PREFIX) ? named : ID_PREFIX + named };
}

function takesPart(location: number | null, { location_ids: locations = [] }: PosConfig): boolean {
  return locations.length === 0 || (location !== null && locations.includes(location));
}

function hintsOf(customer: JsonObject, config: PosConfig): ReadEvent['client'] {
  const mapping: Partial<Record<string, string>> = customerIdMapping(config);
  return FINDERS.flatMap((by) => {
    const value = mapping[by] === undefined ? null : memberOf(customer, mapping[by]);
    return typeof value === 'string' || typeof value === 'number'
      ? [{ by, value: String(value) }]
      : [];
  });
}

/** `card.number` is a member of a member. */
function memberOf(customer: JsonObject, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (value, name) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? value[name]
          : undefined,
      customer,
    );
}
