import type { Replies } from 'amqplib';
import type { Broker } from '../broker/broker';

const NOT_FOUND = 404;

/** How a queue stands; null where there is none. On a channel of its own, which asking for what is not there closes. */
export async function lookAtQueue(
  broker: Broker,
  name: string,
): Promise<Replies.AssertQueue | null> {
  try {
    return await broker.onChannel((channel) => channel.checkQueue(name));
  } catch (error) {
    if ((error as { code?: number }).code === NOT_FOUND) return null;
    throw error;
  }
}
