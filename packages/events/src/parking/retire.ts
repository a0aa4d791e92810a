import { NEWER_RETRY_MS, RETRY_DELAYS_MS } from '../consumer/consumer';
import { deleteFamily, parkedQueue, workQueues } from '../consumer/topology';
import { ask, openChannel } from './parking';
import { withConnection } from './with-connection';

/** What became of a queue that was to be ended, and what was in it. */
export interface Retired {
  /** `consumed`: a service reads it, so that it was left as it is. */
  outcome: 'deleted' | 'consumed' | 'unknown';
  waiting: number;
  parked: number;
}

/**
 * Deletes a queue that no consumer has any more, with its slots, its retries and what is parked of it: `rabbitmqctl delete_queue`
 * takes the one, and leaves in the others what events said of people. Rejects when the broker cannot be reached.
 */
export function retire(url: string, queue: string): Promise<Retired> {
  return withConnection(url, async (connection) => {
    const lookAt = (name: string) => ask(connection, (channel) => channel.checkQueue(name));
    const parking = await lookAt(parkedQueue(queue));
    const names = [false, true].flatMap((ordered) => workQueues({ queue, ordered }));
    const work = (await Promise.all(names.map(lookAt))).flatMap((one) => one ?? []);
    const held = {
      waiting: work.reduce((sum, { messageCount }) => sum + messageCount, 0),
      parked: parking?.messageCount ?? 0,
    };
    if (!parking) return { outcome: 'unknown', ...held };
    if (work.some(({ consumerCount }) => consumerCount > 0))
      return { outcome: 'consumed', ...held };
    const channel = await openChannel(connection);
    await deleteFamily(channel, queue, [...RETRY_DELAYS_MS, NEWER_RETRY_MS]);
    return { outcome: 'deleted', ...held };
  });
}
