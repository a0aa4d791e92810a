import { type CloudEvent, parseEnvelope } from '../envelope';
import type { Broker } from './broker';

export interface Tap {
  /** Everything heard so far, in order of arrival. */
  readonly events: readonly CloudEvent[];
  /** Resolves with the events as soon as `enough` says so. */
  until(enough: (events: readonly CloudEvent[]) => boolean): Promise<readonly CloudEvent[]>;
  stop(): Promise<void>;
}

/** Listens to what goes over the exchange, for tests and checkers. Keeps nothing while it is not there. */
export async function openTap(broker: Broker, bindings: readonly string[] = ['#']): Promise<Tap> {
  const events: CloudEvent[] = [];
  const waiting = new Set<() => void>();
  const channel = broker.openChannel({
    name: 'tap',
    async setup(opened) {
      const { queue } = await opened.assertQueue('', { exclusive: true, autoDelete: true });
      await opened.assertExchange(broker.exchange, 'topic', { durable: true });
      for (const pattern of bindings) await opened.bindQueue(queue, broker.exchange, pattern);
      await opened.consume(
        queue,
        (message) => {
          if (!message) return;
          events.push(parseEnvelope(message.content));
          for (const check of waiting) check();
        },
        { noAck: true },
      );
    },
  });
  await channel.opened();
  return {
    events,
    until: (enough) =>
      new Promise((resolve) => {
        const check = () => {
          if (!enough(events)) return;
          waiting.delete(check);
          resolve(events);
        };
        waiting.add(check);
        check();
      }),
    stop: () => channel.close(),
  };
}
