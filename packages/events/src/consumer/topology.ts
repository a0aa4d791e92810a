import type { ConfirmChannel } from 'amqplib';
import { EVERY_SLOT, SLOT_HEADER } from '../slots/slot-of';

/**
 * How often a delivery may come back without an answer (a consumer that dies with it) before the
 * broker parks it. Far above any healthy restart; failures that are answered have their own counter. What comes back
 * together is taken apart before that (`setApart` in settle.ts). A queue keeps the limit that it was made with.
 */
const DELIVERY_LIMIT = 20;
/** Looking at parked messages returns them; the default limit of RabbitMQ 4 would drop them for it. */
const PARKED_DELIVERY_LIMIT = 1_000_000_000;
const REGISTRY_BYTES_MAX = 1_000_000;

/** Stream of the names of all work queues: AMQP cannot list queues, and the redrive command must. */
export const registryOf = (exchange: string) => `${exchange}.queues`;

/** What belongs to the queue of a consumer: a work queue, or one for each slot, and where failed events go. */
export interface Family {
  /** Names it in metrics, logs, inbox rows and to who redrives. */
  queue: string;
  /** Events of one subject in order over all replicas: a work queue for each slot. */
  ordered: boolean;
}

export const parkedQueue = (queue: string) => `${queue}.parked`;
/** Where an ordered family gets its events, and where its retries and parked events return to. */
export const slotsExchange = (queue: string) => `${queue}.slots`;
export const slotQueue = (queue: string, slot: number) => `${slotsExchange(queue)}.${slot}`;
const unslottedExchange = (queue: string) => `${slotsExchange(queue)}.unslotted`;

/** Of another name where the queue is ordered: a retry queue returns to where it was made for. */
export const retryQueue = ({ queue, ordered }: Family, delayMs: number) =>
  `${ordered ? slotsExchange(queue) : queue}.retry.${delayMs}`;

export const workQueues = ({ queue, ordered }: Family): readonly string[] =>
  ordered ? EVERY_SLOT.map((slot) => slotQueue(queue, slot)) : [queue];

export interface Topology extends Family {
  exchange: string;
  bindings: readonly string[];
}

/** At-least-once needs reject-publish: otherwise a dead-lettered message may be lost on its way. */
function deadLetterTo(exchange: string, routingKey: string) {
  return {
    'x-dead-letter-exchange': exchange,
    'x-dead-letter-routing-key': routingKey,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

/** Declares the work queues with their bindings and the parking queue. Repeating it changes nothing. */
export async function declareQueues(channel: ConfirmChannel, topology: Topology): Promise<void> {
  const { queue, exchange, ordered } = topology;
  await declareParking(channel, queue);
  if (ordered) await declareSlots(channel, queue);
  else await channel.assertQueue(queue, workArguments(queue));
  await bindQueue(channel, topology);
  const registry = await declareRegistry(channel, exchange);
  channel.sendToQueue(registry, Buffer.from(queue), { persistent: true });
}

/** Binds the work queues; repeated now and then, so that a binding somebody removed comes back. */
export async function bindQueue(
  channel: ConfirmChannel,
  { queue, exchange, bindings, ordered }: Topology,
): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
  if (ordered) await bindSlots(channel, queue);
  for (const pattern of bindings) {
    if (ordered) await channel.bindExchange(slotsExchange(queue), exchange, pattern);
    else await channel.bindQueue(queue, exchange, pattern);
  }
}

const workArguments = (queue: string, more: object = {}) => ({
  durable: true,
  arguments: {
    'x-queue-type': 'quorum',
    'x-delivery-limit': DELIVERY_LIMIT,
    ...deadLetterTo('', parkedQueue(queue)),
    ...more,
  },
});

/** What names no slot, because an older release published it, goes to the first one. */
async function declareSlots(channel: ConfirmChannel, queue: string): Promise<void> {
  await channel.assertExchange(unslottedExchange(queue), 'fanout', { durable: true });
  await channel.assertExchange(slotsExchange(queue), 'headers', {
    durable: true,
    alternateExchange: unslottedExchange(queue),
  });
  const single = workArguments(queue, { 'x-single-active-consumer': true });
  await Promise.all(EVERY_SLOT.map((slot) => channel.assertQueue(slotQueue(queue, slot), single)));
}

async function bindSlots(channel: ConfirmChannel, queue: string): Promise<void> {
  await channel.bindQueue(slotQueue(queue, 0), unslottedExchange(queue), '');
  await Promise.all(
    EVERY_SLOT.map((slot) =>
      channel.bindQueue(slotQueue(queue, slot), slotsExchange(queue), '', {
        'x-match': 'all',
        [SLOT_HEADER]: String(slot),
      }),
    ),
  );
}

export async function declareParking(channel: ConfirmChannel, queue: string): Promise<void> {
  await channel.assertQueue(parkedQueue(queue), {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': PARKED_DELIVERY_LIMIT },
  });
}

/** A queue whose messages go back to the work queue they came from after `delayMs`. Made when first needed. */
export async function declareRetry(
  channel: ConfirmChannel,
  family: Family,
  delayMs: number,
): Promise<void> {
  const back = family.ordered
    ? deadLetterTo(slotsExchange(family.queue), '')
    : deadLetterTo('', family.queue);
  await channel.assertQueue(retryQueue(family, delayMs), {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-message-ttl': delayMs, ...back },
  });
}

/**
 * Deletes whatever a consumer has declared, in slots or not; the broker says nothing of what is not there. Parking goes last:
 * every consumer has it, so that its queue says whether something is left.
 */
export async function deleteFamily(
  channel: ConfirmChannel,
  queue: string,
  delaysMs: readonly number[],
): Promise<void> {
  await channel.deleteExchange(slotsExchange(queue));
  await channel.deleteExchange(unslottedExchange(queue));
  for (const ordered of [false, true]) {
    const family = { queue, ordered };
    const retries = delaysMs.map((delayMs) => retryQueue(family, delayMs));
    for (const name of [...workQueues(family), ...retries]) await channel.deleteQueue(name);
  }
  await channel.deleteQueue(parkedQueue(queue));
}

/** Declares the registry of an exchange and returns its name. */
export async function declareRegistry(channel: ConfirmChannel, exchange: string): Promise<string> {
  const { queue } = await channel.assertQueue(registryOf(exchange), {
    durable: true,
    arguments: { 'x-queue-type': 'stream', 'x-max-length-bytes': REGISTRY_BYTES_MAX },
  });
  return queue;
}
