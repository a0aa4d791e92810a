import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@laurel/lifecycle';
import { mayFail } from '@laurel/lifecycle';
import { type ConfirmChannel, connect, type Options, type RecoveringChannelModel } from 'amqplib';
import type { CloudEvent } from '../envelope';
import { closeChannel, closeConnection } from './farewell';
import { type Lock, takeLock } from './lock';
import { type ChannelSetup, ManagedChannel } from './managed-channel';
import { Publisher, type PublishOutcome } from './publisher';

export const DEFAULT_EXCHANGE = 'loyalty.events';
const FIRST_CONNECTION_WAIT_MS = 10_000;
const RECONNECT_MS_FIRST = 100;
/** A broker that comes back is asked by some dozens of processes, which it does not feel. */
const RECONNECT_MS_MAX = 1_000;
const HEARTBEAT_SECONDS = 15;

export interface BrokerSettings {
  /** amqp:// or amqps:// URL with credentials. */
  url: string;
  logger: Logger;
  /** Shown in the broker's list of connections and as `appId` of what is published. */
  service: string;
  /** Topic exchange of all events; tests give their own. */
  exchange?: string;
}

/**
 * Connects to the broker and declares the exchange. Resolves once connected, or after ten seconds
 * with the connection still being tried: a service starts and accepts writes while the broker is
 * away, and its outbox leaves when it comes.
 */
export async function connectBroker(settings: BrokerSettings): Promise<Broker> {
  const { logger, service } = settings;
  const [publishing, consuming] = await Promise.all([
    openConnection(settings, `laurel-${service}`),
    openConnection(settings, `laurel-${service}-consumers`),
  ]);
  publishing.on('disconnect', () => logger.warn('the broker is away; events stay in the outbox'));
  const broker = new Broker({ publishing, consuming }, settings);
  await broker.firstConnection();
  return broker;
}

async function openConnection(
  { url, logger }: BrokerSettings,
  name: string,
): Promise<RecoveringChannelModel> {
  const connection = await connect(withHeartbeat(url), {
    noDelay: true,
    // Who takes the connection and says nothing is as good as away.
    timeout: FIRST_CONNECTION_WAIT_MS,
    clientProperties: { connection_name: name },
    recovery: {
      initialDelay: RECONNECT_MS_FIRST,
      maxDelay: RECONNECT_MS_MAX,
      waitForConnect: false,
    },
  });
  // A connection without an error listener ends the process; recovery follows by itself.
  connection.on('error', (error) =>
    logger.warn({ err: error, connection: name }, 'the connection to the broker failed'),
  );
  const since = performance.now();
  connection.on('connect-failed', (error) => {
    // A broker that is started together with its services takes some seconds.
    const level = performance.now() - since < FIRST_CONNECTION_WAIT_MS ? 'debug' : 'warn';
    logger[level]({ err: error, connection: name }, 'the broker cannot be reached');
  });
  return connection;
}

/**
 * RabbitMQ with an alarm reads nothing more of a connection that publishes, acknowledgements included: on one connection
 * for both, the queues that fill its memory would not be worked off either. Locks are with what publishes, since who has lost them must not publish any more.
 */
interface Connections {
  publishing: RecoveringChannelModel;
  consuming: RecoveringChannelModel;
}

/** One service's connections to RabbitMQ. They mend themselves; while the broker is away, or has an alarm, publishes fail at once. */
export class Broker {
  /** Topic exchange of all events. */
  readonly exchange: string;
  readonly service: string;
  private readonly logger: Logger;
  private readonly publisher: Publisher;
  private readonly publishing: ManagedChannel;
  private readonly channels = new Set<ManagedChannel>();
  private readonly listeners = new Set<() => void>();
  /** The broker is short of something, and reads nothing of what is published meanwhile. */
  private hasAlarm = false;

  constructor(
    private readonly connections: Connections,
    { exchange = DEFAULT_EXCHANGE, logger, service }: BrokerSettings,
  ) {
    this.exchange = exchange;
    this.service = service;
    this.logger = logger;
    this.publisher = new Publisher(exchange, service, logger);
    const plan: ChannelSetup = {
      name: 'publish',
      setup: (channel) => this.preparePublishing(channel),
      afterOpen: () => this.sayConnected(),
    };
    this.publishing = new ManagedChannel(connections.publishing, plan, logger);
    this.followAlarms(connections.publishing);
  }

  /** For readiness: true while events can be published. */
  isConnected(): boolean {
    return !this.isBlocked() && this.publishing.current() !== null;
  }

  /** Whether it has an alarm: what is sent to it now is read when that is over. */
  isBlocked(): boolean {
    return this.hasAlarm;
  }

  /** Persistent, mandatory, confirmed. One outcome per event, in order; never throws. */
  publish(events: readonly CloudEvent[]): Promise<PublishOutcome[]> {
    // What is written to who does not read stays in this process, and each further try would be one more copy.
    return this.publisher.publish(this.isConnected() ? this.publishing.current() : null, events);
  }

  /** Puts a copy of a delivery into a queue. Resolves once that is safe: after an alarm, or when the broker is back. */
  async copy(queue: string, content: Buffer, options: Options.Publish): Promise<void> {
    const channel = await this.publishing.opened();
    await new Promise<void>((resolve, reject) => {
      channel.sendToQueue(queue, content, options, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Calls `listener` whenever publishing becomes possible again; returns how to stop that. */
  onConnected(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A channel of its own beside what is published, opened again whenever it is lost. */
  openChannel(plan: ChannelSetup): ManagedChannel {
    return this.openOn(this.connections.publishing, plan);
  }

  /** The same for a consumer: its acknowledgements arrive while the broker has an alarm, too. */
  openConsumerChannel(plan: ChannelSetup): ManagedChannel {
    return this.openOn(this.connections.consuming, plan);
  }

  /** Runs work on a channel of its own, which a refusal of the broker may close. Rejects as the work does, or while the broker is away. */
  async onChannel<T>(work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
    const channel = await this.connections.publishing.createConfirmChannel();
    // Without a listener an error would end the process; what was asked rejects as well.
    channel.on('error', () => undefined);
    try {
      return await work(channel);
    } finally {
      await closeChannel(channel);
    }
  }

  /** What this process alone is to have; null while another has it. Rejects while the broker is away. */
  takeLock(name: string): Promise<Lock | null> {
    return takeLock(this.connections.publishing, name);
  }

  /** Waits for confirms in flight, then closes every channel and the connections. */
  async close(): Promise<void> {
    await this.publisher.flushed();
    await Promise.all([...this.channels].map((channel) => channel.close()));
    await this.publishing.close();
    await Promise.all(Object.values(this.connections).map(closeConnection));
  }

  /** Resolves when connected, or when it took too long. */
  async firstConnection(): Promise<void> {
    const waited = new AbortController();
    const opened = this.publishing.opened().then(() => true);
    const late = pause(FIRST_CONNECTION_WAIT_MS, false, { signal: waited.signal }).catch(
      () => true,
    );
    const connected = await Promise.race([opened, late]);
    waited.abort();
    if (!connected) this.logger.warn('started while the broker is away');
    // Not waited for yet; a close before the first connection rejects it.
    opened.catch(mayFail('a close before the first connection'));
  }

  private openOn(connection: RecoveringChannelModel, plan: ChannelSetup): ManagedChannel {
    const channel = new ManagedChannel(connection, plan, this.logger);
    this.channels.add(channel);
    return channel;
  }

  private followAlarms(connection: RecoveringChannelModel): void {
    connection.on('blocked', (reason) => {
      this.hasAlarm = true;
      this.logger.warn(
        { alarm: String(reason) },
        'the broker has an alarm and takes nothing in; events stay in the outbox',
      );
    });
    connection.on('unblocked', () => {
      this.hasAlarm = false;
      this.logger.info('the alarm of the broker is over');
      if (this.publishing.current()) this.sayConnected();
    });
    // A connection that comes back hears of an alarm anew.
    connection.on('disconnect', () => {
      this.hasAlarm = false;
    });
  }

  private sayConnected(): void {
    for (const listener of this.listeners) listener();
  }

  private async preparePublishing(channel: ConfirmChannel): Promise<void> {
    await channel.assertExchange(this.exchange, 'topic', { durable: true });
    this.publisher.attach(channel);
  }
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat'))
    parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.toString();
}
