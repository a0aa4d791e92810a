import { createLogger, newId } from '@laurel/lifecycle';
import { type Connection, unitOfWork } from '@laurel/mongo';
import { type TestStore, testServers, testStore } from '@laurel/testing';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { type Broker, connectBroker } from '../broker/broker';
import { inboxIndexes } from '../consumer/inbox';
import { registryOf, retryQueue, slotsExchange, workQueues } from '../consumer/topology';
import { type CloudEvent, createEvent } from '../envelope';
import { createOutbox, type Outbox } from '../outbox/outbox';
import { outboxRows } from '../outbox/outbox-rows';

export const logger = createLogger('events-test', 'silent');
export const workspaceId = newId();

/** The delays of the tests' consumers: short, so that no test waits long. */
export const RETRY_DELAYS_MS = [20, 40];

/** An internal event: no service has to listen to it. */
export function anonymized(clientId: string = newId()): CloudEvent {
  return createEvent('clients.anonymized', {
    workspaceId,
    subject: clientId,
    data: { client_id: clientId },
  });
}

export function memberAdded(userId: string = newId()): CloudEvent {
  const data = { workspace_id: workspaceId, user_id: userId, role: 'member' };
  return createEvent('identity.member_added', { workspaceId, subject: userId, data });
}

/** A database, an exchange and queue names of one test's own, and the way to remove them all. */
export class Harness {
  readonly broker: Broker;
  private readonly admin: ChannelModel;
  private readonly brokers: Broker[] = [];
  private readonly queues = new Set<string>();
  private readonly ordered = new Set<string>();
  private constructor(
    readonly store: TestStore,
    readonly exchange: string,
    { broker, admin }: { broker: Broker; admin: ChannelModel },
  ) {
    this.broker = broker;
    this.admin = admin;
    this.brokers.push(broker);
  }

  static async open(): Promise<Harness> {
    const exchange = `test-${newId()}`;
    const url = testServers().rabbitmqUrl;
    const store = await testStore([outboxRows, inboxIndexes]);
    // Made before use: transactions that would each create it get in each other's way.
    await store.connection.createCollection('effects');
    const broker = await connectBroker({ url, logger, service: 'test', exchange });
    const admin = await connect(url);
    return new Harness(store, exchange, { broker, admin });
  }

  get connection(): Connection {
    return this.store.connection;
  }

  outbox(): Outbox {
    return createOutbox(this.connection);
  }

  /** A second service instance: a broker connection of its own to the same exchange. */
  async anotherBroker(url = testServers().rabbitmqUrl): Promise<Broker> {
    const broker = await connectBroker({ url, logger, service: 'test', exchange: this.exchange });
    this.brokers.push(broker);
    return broker;
  }

  queueName(): string {
    const queue = `test.${newId()}`;
    this.queues.add(queue);
    return queue;
  }

  /** As queueName, for a consumer whose events are divided into slots. */
  orderedQueueName(): string {
    const queue = this.queueName();
    this.ordered.add(queue);
    return queue;
  }

  /** Commits events to the outbox, as a use case does. */
  commit(outbox: Outbox, ...events: CloudEvent[]): Promise<void> {
    return unitOfWork(this.connection, (session) => outbox.append(events, session));
  }

  /** Deletes a queue under its consumer, which the broker answers by cancelling it. */
  async loseQueue(queue: string): Promise<void> {
    const channel = await this.admin.createChannel();
    await channel.deleteQueue(queue);
    await channel.close();
  }

  /** Puts a message of any content and headers into a queue, as a stranger would. */
  async inject(
    queue: string,
    content: string,
    headers: Record<string, unknown> = {},
  ): Promise<void> {
    const channel = await this.admin.createConfirmChannel();
    channel.sendToQueue(queue, Buffer.from(content), { persistent: true, headers });
    await channel.waitForConfirms();
    await channel.close();
  }

  async close(): Promise<void> {
    await Promise.all(this.brokers.map((broker) => broker.close()));
    const channel = await this.admin.createChannel();
    for (const queue of this.queues) {
      const family = [
        queue,
        `${queue}.parked`,
        ...RETRY_DELAYS_MS.map((ms) => retryQueue({ queue, ordered: false }, ms)),
      ];
      for (const name of family) await channel.deleteQueue(name);
    }
    for (const queue of this.ordered) await this.deleteSlots(channel, queue);
    await channel.deleteQueue(`${this.exchange}.test.slot`);
    await channel.deleteQueue(registryOf(this.exchange));
    await channel.deleteExchange(this.exchange);
    await this.admin.close();
    await this.store.drop();
  }

  private async deleteSlots(channel: Channel, queue: string): Promise<void> {
    const family = { queue, ordered: true };
    const retries = RETRY_DELAYS_MS.map((ms) => retryQueue(family, ms));
    for (const name of [...workQueues(family), ...retries]) await channel.deleteQueue(name);
    for (const name of [slotsExchange(queue), `${slotsExchange(queue)}.unslotted`])
      await channel.deleteExchange(name);
  }
}
