import { testServers } from '@laurel/testing';
import type { Broker } from '../broker/broker';
import { startConsumer } from '../consumer/consumer';
import type { Once } from '../consumer/inbox';
import type { Consumer, ConsumerSettings, Listening } from '../consumer/types';
import type { CloudEvent } from '../envelope';
import { listParked, type ParkedMessage } from '../parking/parking';
import { Harness, logger, RETRY_DELAYS_MS } from './harness';

interface Effect {
  _id: string;
  times: number;
}

type Given = Listening &
  Partial<Pick<ConsumerSettings, 'prefetch' | 'maxAttempts' | 'newerRetryMs'>>;

/** Consumers of one queue and the effects their handlers are counted by. */
export class ConsumerBench {
  readonly queue: string;
  private readonly consumers: Consumer[] = [];
  private constructor(readonly harness: Harness) {
    this.queue = harness.queueName();
  }

  static async open(): Promise<ConsumerBench> {
    return new ConsumerBench(await Harness.open());
  }

  async consume(given: Given, broker: Broker = this.harness.broker): Promise<Consumer> {
    const { connection } = this.harness;
    const common = { broker, connection, queue: this.queue, logger };
    const consumer = await startConsumer({ ...common, retryDelaysMs: RETRY_DELAYS_MS, ...given });
    this.consumers.push(consumer);
    return consumer;
  }

  /** The effect that tests count: one more for this event. */
  countEffect(event: CloudEvent) {
    return (session: Parameters<Parameters<Once>[0]>[0]) =>
      this.effects().updateOne(
        { _id: event.id },
        { $inc: { times: 1 } },
        { upsert: true, session },
      );
  }

  async timesOf(event: CloudEvent): Promise<number> {
    return (await this.effects().findOne({ _id: event.id }))?.times ?? 0;
  }

  async parked(): Promise<ParkedMessage[]> {
    const parked = await listParked(testServers().rabbitmqUrl, this.harness.exchange);
    return parked.find(({ queue }) => queue === this.queue)?.oldest ?? [];
  }

  async close(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
    await this.harness.close();
  }

  private effects() {
    return this.harness.connection.collection<Effect>('effects');
  }
}
