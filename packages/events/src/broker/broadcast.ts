import { newId } from '@laurel/lifecycle';
import type { Broadcast } from '@laurel/work';
import type { Broker } from './broker';
import type { ManagedChannel } from './managed-channel';

/** What runs of this service in every process, and how they call each other. */
export interface RunningBroadcast extends Broadcast {
  /** Resolves once what others send is heard. */
  opened(): Promise<unknown>;
}

/**
 * Carries wake-ups between the processes of one service: a few bytes to everybody else, kept nowhere. What is sent while
 * the broker is away, or a process is, is lost; each listener looks by itself now and then.
 */
export function createBroadcast(broker: Broker): RunningBroadcast {
  const exchange = `${broker.exchange}.wakes`;
  const self = newId();
  const listeners = new Set<(topic: string) => void>();
  const channel: ManagedChannel = broker.openChannel({
    name: 'wakes',
    async setup(opened) {
      await opened.assertExchange(exchange, 'direct', { durable: false });
      const { queue } = await opened.assertQueue('', { exclusive: true, autoDelete: true });
      await opened.bindQueue(queue, exchange, broker.service);
      await opened.consume(
        queue,
        (message) => {
          if (!message || message.properties.appId === self) return;
          const topic = message.content.toString();
          for (const listener of listeners) listener(topic);
        },
        { noAck: true },
      );
    },
  });
  return {
    send(topic) {
      // Kept nowhere, so not in this process either while the broker reads nothing.
      if (broker.isBlocked()) return;
      channel.current()?.publish(exchange, broker.service, Buffer.from(topic), { appId: self });
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    opened: () => channel.opened(),
  };
}
