import type { ConfirmChannel } from 'amqplib';

/**
 * How often a delivery may come back without an answer (a consumer that dies with it) before the
 * broker parks it. Far above any healthy restart; failures that are answered have their own counter.
 */
const DELIVERY_LIMIT = 20;
/** Looking at parked messages returns them; the default limit of RabbitMQ 4 would drop them for it. */
const PARKED_DELIVERY_LIMIT = 1_000_000_000;
const REGISTRY_BYTES_MAX = 1_000_000;

/** Stream of the names of all work queues: AMQP cannot list queues, and the redrive command must. */
export const registryOf = (exchange: string) => `${exchange}.queues`;

export const parkedQueue = (queue: string) => `${queue}.parked`;
export const retryQueue = (queue: string, delayMs: number) => `${queue}.retry.${delayMs}`;

export interface Topology {
  queue: string;
  exchange: string;
  bindings: readonly string[];
  singleActive: boolean;
}

/** At-least-once needs reject-publish: otherwise a dead-lettered message may be lost on its way. */
function deadLetterTo(target: string) {
  return {
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': target,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

/** Declares the work queue with its bindings and its parking queue. Repeating it changes nothing. */
export async function declareQueues(channel: ConfirmChannel, topology: Topology): Promise<void> {
  const { queue, exchange, singleActive } = topology;
  await declareParking(channel, queue);
  await channel.assertQueue(queue, {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': DELIVERY_LIMIT,
      ...(singleActive ? { 'x-single-active-consumer': true } : {}),
      ...deadLetterTo(parkedQueue(queue)),
    },
  });
  await bindQueue(channel, topology);
  const registry = await declareRegistry(channel, exchange);
  channel.sendToQueue(registry, Buffer.from(queue), { persistent: true });
}

/** Binds the work queue; repeated now and then, so that a binding somebody removed comes back. */
export async function bindQueue(
  channel: ConfirmChannel,
  { queue, exchange, bindings }: Topology,
): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
  for (const pattern of bindings) await channel.bindQueue(queue, exchange, pattern);
}

export async function declareParking(channel: ConfirmChannel, queue: string): Promise<void> {
  await channel.assertQueue(parkedQueue(queue), {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': PARKED_DELIVERY_LIMIT },
  });
}

/** A queue whose messages go back to the work queue after `delayMs`. Made when first needed. */
export async function declareRetry(
  channel: ConfirmChannel,
  queue: string,
  delayMs: number,
): Promise<void> {
  await channel.assertQueue(retryQueue(queue, delayMs), {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-message-ttl': delayMs, ...deadLetterTo(queue) },
  });
}

/** Declares the registry of an exchange and returns its name. */
export async function declareRegistry(channel: ConfirmChannel, exchange: string): Promise<string> {
  const { queue } = await channel.assertQueue(registryOf(exchange), {
    durable: true,
    arguments: { 'x-queue-type': 'stream', 'x-max-length-bytes': REGISTRY_BYTES_MAX },
  });
  return queue;
}
