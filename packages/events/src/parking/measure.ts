import { DEFAULT_EXCHANGE } from '../broker/broker';
import { parkedQueue } from '../consumer/topology';
import { knownQueues, openChannel, withConnection } from './parking';

/** How a work queue stands at this moment. */
export interface QueueDepth {
  queue: string;
  /** Messages ready to be handled. */
  waiting: number;
  /** Replicas that consume it. */
  consumers: number;
  parked: number;
}

/** Every work queue that exists, by name. Changes nothing; rejects when the broker cannot be reached. */
export function measureQueues(url: string, exchange = DEFAULT_EXCHANGE): Promise<QueueDepth[]> {
  return withConnection(url, async (connection) => {
    const depths: QueueDepth[] = [];
    for (const queue of await knownQueues(connection, exchange)) {
      // Asking for a queue that is gone closes the channel it was asked on.
      const channel = await openChannel(connection);
      const work = await channel.checkQueue(queue).catch(() => null);
      const parked = work && (await channel.checkQueue(parkedQueue(queue)).catch(() => null));
      if (work && parked) {
        const { messageCount: waiting, consumerCount: consumers } = work;
        depths.push({ queue, waiting, consumers, parked: parked.messageCount });
        await channel.close();
      }
    }
    return depths;
  });
}
