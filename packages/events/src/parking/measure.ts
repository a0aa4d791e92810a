import type { ChannelModel } from 'amqplib';
import { DEFAULT_EXCHANGE } from '../broker/broker';
import { closeChannel } from '../broker/farewell';
import { parkedQueue, workQueues } from '../consumer/topology';
import { isOrdered, knownQueues, openChannel } from './parking';
import { withConnection } from './with-connection';

/** How a work queue stands at this moment. */
export interface QueueDepth {
  queue: string;
  /** Messages ready to be handled. */
  waiting: number;
  /** Replicas that consume it; of an ordered one, those of the slot that has fewest. */
  consumers: number;
  parked: number;
}

/**
 * Every consumer's queue that exists, by name, or those of `queues`. Changes nothing; rejects when the broker cannot be
 * reached.
 */
export function measureQueues(
  url: string,
  exchange = DEFAULT_EXCHANGE,
  queues?: readonly string[],
): Promise<QueueDepth[]> {
  return withConnection(url, async (connection) => {
    const depths: QueueDepth[] = [];
    for (const queue of queues ?? (await knownQueues(connection, exchange))) {
      const depth = await measure(connection, queue);
      if (depth) depths.push(depth);
    }
    return depths;
  });
}

/** Null when the queue is gone, and the channel with it: asking for what is not there closes it. */
async function measure(connection: ChannelModel, queue: string): Promise<QueueDepth | null> {
  const ordered = await isOrdered(connection, queue);
  const channel = await openChannel(connection);
  try {
    const names = workQueues({ queue, ordered });
    const work = await Promise.all(names.map((name) => channel.checkQueue(name)));
    const parked = await channel.checkQueue(parkedQueue(queue));
    await closeChannel(channel);
    return {
      queue,
      waiting: work.reduce((sum, { messageCount }) => sum + messageCount, 0),
      consumers: Math.min(...work.map(({ consumerCount }) => consumerCount)),
      parked: parked.messageCount,
    };
  } catch {
    return null;
  }
}
