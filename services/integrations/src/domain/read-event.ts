import { EVENT_AHEAD_DAYS_MAX, JSON_CHARACTERS_MAX, POSTED_EVENT_TYPES } from '@laurel/contract';
import { complaintAboutTexts, type JsonObject } from '@laurel/errors';
import { AMOUNT_MAX } from '@laurel/values/amount';
import { FIRST_MOMENT, momentNamed } from '@laurel/values/calendar';

/** How a client may be found, in the order in which the ways are tried. */
export const FINDERS = ['client_id', 'external_id', 'barcode_value', 'email', 'phone'] as const;
export type Finder = (typeof FINDERS)[number];

/** An event as a provider read it from what it was sent. */
export interface ReadEvent {
  eventCategory: string;
  eventType: string;
  /** ISO 8601; when it was received, if absent. */
  eventTimestamp?: string;
  amount?: number;
  /** The workspace's own, if absent. */
  currency?: string;
  externalId?: string;
  /** What a refund says its sale was called. */
  originalExternalId?: string;
  metadata?: JsonObject;
  /** Whom it is about; the first that is known counts. */
  client: { by: Finder; value: string }[];
}

/** What was sent cannot be read: sending it again would not help. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const EVENT_TYPES: Readonly<Record<string, readonly string[] | null>> = {
  transaction: POSTED_EVENT_TYPES.transaction,
  engagement: POSTED_EVENT_TYPES.engagement,
  loyalty: POSTED_EVENT_TYPES.loyalty,
  custom: null,
};
/** Categories that an event from outside may have. */
export const READ_CATEGORIES: readonly string[] = Object.keys(EVENT_TYPES);

const CUSTOM_TYPE_LENGTH_MAX = 100;
const EXTERNAL_ID_LENGTH_MAX = 255;
/** No address, number or code that a client is known by is longer. */
const HINT_LENGTH_MAX = 255;

/** What is wrong with an event that was read, as a sentence; null when it can be recorded. */
export function complaintAboutEvent(event: ReadEvent, now: Date): string | null {
  const { eventCategory, eventType, externalId, originalExternalId, eventTimestamp, client } =
    event;
  const types = Object.hasOwn(EVENT_TYPES, eventCategory) ? EVENT_TYPES[eventCategory] : undefined;
  if (types === undefined)
    return `event_category "${eventCategory}" is not one of ${READ_CATEGORIES.join(', ')}`;
  if (types === null ? !isCustomType(eventType) : !types.includes(eventType))
    return `event_type "${eventType}" is not one of category ${eventCategory}`;
  if (originalExternalId !== undefined && eventType !== 'refund')
    return 'original_external_id belongs to refunds only';
  const complaint =
    complaintAboutId('external_id', externalId) ??
    complaintAboutId('original_external_id', originalExternalId) ??
    (eventTimestamp === undefined ? null : complaintAboutMoment(eventTimestamp, now));
  if (complaint !== null) return complaint;
  if (client.length === 0) return 'nothing says which client it is about';
  const long = client.find(({ value }) => value.length > HINT_LENGTH_MAX);
  if (long) return `${long.by} must have at most ${HINT_LENGTH_MAX} characters`;
  if (!isKept(event.metadata))
    return `metadata must be at most ${JSON_CHARACTERS_MAX} characters of JSON`;
  return complaintAboutKeeping(event) ?? complaintAboutMoney(event);
}

const complaintAboutId = (name: string, id: string | undefined): string | null =>
  id === undefined || (id !== '' && id.length <= EXTERNAL_ID_LENGTH_MAX)
    ? null
    : `${name} must have 1 to ${EXTERNAL_ID_LENGTH_MAX} characters`;

/** What a provider fetches or an expression makes has not been looked at: a store may not take it, or not be asked for it. */
function complaintAboutKeeping(event: ReadEvent): string | null {
  const kept = {
    event_type: event.eventType,
    external_id: event.externalId,
    original_external_id: event.originalExternalId,
    metadata: event.metadata,
    client: Object.fromEntries(event.client.map(({ by, value }) => [by, value])),
  };
  const found = complaintAboutTexts(kept);
  return found && `${found.path} ${found.complaint}`;
}

/** Whether metadata is no longer than the API takes it: every list of events carries it. */
export const isKept = (metadata: JsonObject | undefined): boolean =>
  metadata === undefined || JSON.stringify(metadata).length <= JSON_CHARACTERS_MAX;

const DAY_MS = 86_400_000;

function complaintAboutMoment(text: string, now: Date): string | null {
  const at = momentNamed(text).getTime();
  if (Number.isNaN(at)) return `event_timestamp "${text}" is not a moment`;
  if (at < FIRST_MOMENT.getTime()) return `event_timestamp "${text}" is before 0001-01-02`;
  return at - now.getTime() > EVENT_AHEAD_DAYS_MAX * DAY_MS
    ? `event_timestamp "${text}" is more than ${EVENT_AHEAD_DAYS_MAX} days in the future`
    : null;
}

const isCustomType = (eventType: string): boolean =>
  eventType !== '' && eventType.length <= CUSTOM_TYPE_LENGTH_MAX;

function complaintAboutMoney({ eventCategory, amount, currency }: ReadEvent): string | null {
  if (amount !== undefined && !(Math.abs(amount) <= AMOUNT_MAX))
    return `amount ${amount} must be a number of at most ${AMOUNT_MAX}`;
  if (currency !== undefined && !/^[A-Za-z]{3}$/.test(currency))
    return `currency "${currency}" must have three letters`;
  if (eventCategory !== 'transaction') return null;
  if (amount === undefined) return 'a transaction needs an amount';
  return amount < 0 ? 'the amount of a transaction must not be negative' : null;
}
