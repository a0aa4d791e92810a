import type { Message } from 'amqplib';
import { SLOT_HEADER } from '../slots/slot-of';

/** Headers that a message carries between work, retry and parking queue. */
export const HEADERS = {
  attempts: 'x-laurel-attempts',
  reason: 'x-laurel-reason',
  error: 'x-laurel-error',
  parkedAt: 'x-laurel-parked-at',
  waitingSince: 'x-laurel-waiting-since',
  setAside: 'x-laurel-set-aside',
} as const;

/** How many attempts at handling the message failed so far. */
export function attemptsOf(message: Message): number {
  const attempts: unknown = message.properties.headers?.[HEADERS.attempts];
  return typeof attempts === 'number' ? attempts : 0;
}

/** Since when the message waits for a newer release of its consumer, in milliseconds since 1970; null when it does not. */
export function waitingSinceOf(message: Message): number | null {
  const since: unknown = message.properties.headers?.[HEADERS.waitingSince];
  return typeof since === 'number' ? since : null;
}

/** How often the message was set aside because it had come back too often without an answer. */
export function timesSetAside(message: Message): number {
  const times: unknown = message.properties.headers?.[HEADERS.setAside];
  return typeof times === 'number' ? times : 0;
}

/** How often the queue has had the message back without an answer: its consumer died, or lost its channel. */
export function returnsOf(message: Message): number {
  const returns: unknown = message.properties.headers?.['x-delivery-count'];
  return typeof returns === 'number' ? returns : 0;
}

/** The properties with which a message goes on to another queue. */
export function forwarded(message: Message, headers: Record<string, string | number>) {
  const { contentType, messageId, correlationId, timestamp, appId } = message.properties;
  const slot: unknown = message.properties.headers?.[SLOT_HEADER];
  return {
    persistent: true,
    contentType,
    messageId,
    correlationId,
    timestamp,
    appId,
    headers: { ...headers, ...(typeof slot === 'string' ? { [SLOT_HEADER]: slot } : {}) },
  };
}
