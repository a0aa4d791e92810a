import { testServers } from '@laurel/testing';
import { createBroadcast } from '../broker/broadcast';
import type { Broker } from '../broker/broker';
import { startConsumer } from '../consumer/consumer';
import type { Consumer, ConsumerSettings, Listening } from '../consumer/types';
import { createOutbox, type Outbox } from '../outbox/outbox';
import { type Relay, startRelay } from '../outbox/relay';
import { type SharedSlots, takeSlots } from '../slots/slots';
import { CuttableLink } from './cuttable-link';
import { type Harness, logger, RETRY_DELAYS_MS } from './harness';

type Connection = Harness['connection'];

/** How often the tests' replicas look whether slots have become free. */
const LOOK_MS = 200;

interface Parts {
  link: CuttableLink;
  broker: Broker;
  connection: Connection;
  slots: SharedSlots;
  outbox: Outbox;
  relay: Relay;
}

/** One process of a service with its own connections, slots, outbox and relay, that can die. */
export class Replica {
  private readonly consumers: Consumer[] = [];
  private constructor(private readonly parts: Parts) {}

  get broker(): Broker {
    return this.parts.broker;
  }

  get connection(): Connection {
    return this.parts.connection;
  }

  get slots(): SharedSlots {
    return this.parts.slots;
  }

  get outbox(): Outbox {
    return this.parts.outbox;
  }

  static async start(harness: Harness): Promise<Replica> {
    const link = await CuttableLink.to(testServers().rabbitmqUrl);
    const broker = await harness.anotherBroker(link.url);
    const connection = await harness.store.connectAgain();
    const broadcast = createBroadcast(broker);
    const slots = await takeSlots({ broker, broadcast, logger, lookMs: LOOK_MS });
    const outbox = createOutbox(connection, slots);
    const relay = startRelay({ source: outbox, broker, logger, name: 'test', broadcast });
    return new Replica({ link, broker, connection, slots, outbox, relay });
  }

  async consume(
    queue: string,
    listening: Listening & Partial<Pick<ConsumerSettings, 'tendMs' | 'maxAttempts'>>,
  ): Promise<Consumer> {
    const { broker, connection, slots: ordered } = this;
    const common = { broker, connection, queue, logger, ordered, retryDelaysMs: RETRY_DELAYS_MS };
    const consumer = await startConsumer({ ...common, ...listening });
    this.consumers.push(consumer);
    return consumer;
  }

  /** Loses the broker in mid-word and for good, as a process does that is killed. */
  kill(): void {
    this.parts.link.cut();
  }

  async stop(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
    const { relay, slots, broker, link } = this.parts;
    await relay.stop();
    await slots.stop();
    await broker.close();
    await link.close();
  }
}
