import type { ChannelModel, ConfirmChannel, GetMessage } from 'amqplib';
import { DEFAULT_EXCHANGE } from '../broker/broker';
import { closeChannel } from '../broker/farewell';
import { attemptsOf, forwarded, HEADERS } from '../consumer/headers';
import { declareRegistry, parkedQueue, slotsExchange } from '../consumer/topology';
import { withConnection } from './with-connection';

const SAMPLES_MAX = 10;
const END_OF_REGISTRY = 'end-of-registry:';

export interface ParkedMessage {
  eventId: string | null;
  type: string | null;
  /** Why it was parked: a Poison reason, `refused:<CODE>`, `attempts_exhausted` or `delivery_limit`. */
  reason: string;
  attempts: number;
  error: string | null;
  /** ISO 8601; null where nothing says so. */
  parkedAt: string | null;
}

export interface ParkedQueue {
  queue: string;
  count: number;
  /** The oldest few. */
  oldest: ParkedMessage[];
}

/** Every work queue that has parked messages, with a look at the oldest ones. Changes nothing. */
export function listParked(url: string, exchange = DEFAULT_EXCHANGE): Promise<ParkedQueue[]> {
  return withConnection(url, async (connection) => {
    const parked: ParkedQueue[] = [];
    for (const queue of await knownQueues(connection, exchange)) {
      const found = await look(connection, queue);
      if (found && found.count > 0) parked.push(found);
    }
    return parked;
  });
}

/**
 * Puts up to `limit` parked messages of a work queue (default: all there are now) back into it, oldest
 * first, with their attempts forgotten. Returns how many. Each leaves parking only after the broker
 * has it in the work queue, so none is lost; the inbox makes a repeat harmless. Rejects when the
 * queue does not exist.
 */
export function redrive(
  url: string,
  queue: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  return withConnection(url, async (connection) => {
    const target = await entranceOf(connection, queue);
    const channel = await openChannel(connection);
    const { messageCount } = await channel.checkQueue(parkedQueue(queue));
    const total = Math.min(messageCount, limit);
    for (let moved = 0; moved < total; moved += 1) {
      const message = await channel.get(parkedQueue(queue));
      if (!message) return moved;
      const { exchange, routingKey } = target;
      channel.publish(exchange, routingKey, message.content, forwarded(message, {}));
      await channel.waitForConfirms();
      channel.ack(message);
    }
    await closeChannel(channel);
    return total;
  });
}

/** Where messages are put for the consumer of a queue. Rejects when there is none of that name. */
async function entranceOf(
  connection: ChannelModel,
  queue: string,
): Promise<{ exchange: string; routingKey: string }> {
  if (await isOrdered(connection, queue)) return { exchange: slotsExchange(queue), routingKey: '' };
  const channel = await openChannel(connection);
  await channel.checkQueue(queue);
  await closeChannel(channel);
  return { exchange: '', routingKey: queue };
}

/** Whether a consumer's events are divided into slots. */
export async function isOrdered(connection: ChannelModel, queue: string): Promise<boolean> {
  const found = await ask(connection, (channel) => channel.checkExchange(slotsExchange(queue)));
  return found !== null;
}

/** What is said of something; null where it is not there, which closes the channel that it is asked on. */
export async function ask<Answer>(
  connection: ChannelModel,
  question: (channel: ConfirmChannel) => Promise<Answer>,
): Promise<Answer | null> {
  const channel = await openChannel(connection);
  const answer = await question(channel).catch(() => null);
  if (answer !== null) await closeChannel(channel);
  return answer;
}

export async function openChannel(connection: ChannelModel): Promise<ConfirmChannel> {
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => undefined);
  return channel;
}

/** Reads the registry from its first entry to a mark of our own. */
export async function knownQueues(connection: ChannelModel, exchange: string): Promise<string[]> {
  const channel = await openChannel(connection);
  const registry = await declareRegistry(channel, exchange);
  const mark = `${END_OF_REGISTRY}${Date.now()}:${Math.random()}`;
  channel.sendToQueue(registry, Buffer.from(mark), { persistent: true });
  await channel.waitForConfirms();
  await channel.prefetch(100);
  const names = new Set<string>();
  await new Promise<void>((resolve, reject) => {
    const read = (content: string) => {
      if (content === mark) resolve();
      else if (!content.startsWith(END_OF_REGISTRY)) names.add(content);
    };
    channel
      .consume(
        registry,
        (message) => {
          if (!message) return reject(new Error('the registry of queues went away'));
          channel.ack(message);
          read(message.content.toString('utf8'));
        },
        { arguments: { 'x-stream-offset': 'first' } },
      )
      .catch(reject);
  });
  await closeChannel(channel);
  return [...names].sort();
}

/** Null when the queue is gone. The messages looked at return to their places with the channel. */
async function look(connection: ChannelModel, queue: string): Promise<ParkedQueue | null> {
  const channel = await openChannel(connection);
  const depth = await channel.checkQueue(parkedQueue(queue)).catch(() => null);
  if (!depth) return null;
  const oldest: ParkedMessage[] = [];
  while (oldest.length < SAMPLES_MAX) {
    const message = await channel.get(parkedQueue(queue));
    if (!message) break;
    oldest.push(describeParked(message));
  }
  await closeChannel(channel);
  return { queue, count: depth.messageCount, oldest };
}

export function describeParked(message: GetMessage): ParkedMessage {
  const headers = message.properties.headers ?? {};
  return {
    eventId: textOrNull(message.properties.messageId),
    type: typeOf(message.content),
    reason: textOrNull(headers[HEADERS.reason]) ?? headers['x-death']?.[0]?.reason ?? 'unknown',
    attempts: attemptsOf(message),
    error: textOrNull(headers[HEADERS.error]),
    parkedAt: textOrNull(headers[HEADERS.parkedAt]) ?? diedAt(headers['x-death']),
  };
}

/** When the broker itself put a message aside, in ISO 8601. */
function diedAt(deaths: unknown): string | null {
  const [last] = (Array.isArray(deaths) ? deaths : []) as Death[];
  const at = last?.time?.value;
  return typeof at === 'number' ? new Date(at * 1_000).toISOString() : null;
}

/** As the library reads a time in seconds. */
interface Death {
  time?: { value?: unknown };
}

function typeOf(content: Buffer): string | null {
  try {
    return textOrNull((JSON.parse(content.toString('utf8')) as { type?: unknown } | null)?.type);
  } catch {
    return null;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
