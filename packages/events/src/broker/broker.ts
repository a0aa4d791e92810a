import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@laurel/lifecycle';
import { mayFail } from '@laurel/lifecycle';
import { type ConfirmChannel, connect, type RecoveringChannelModel } from 'amqplib';
import type { CloudEvent } from '../envelope';
import { closeChannel } from './close-channel';
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
  const { url, logger, service } = settings;
  const connection = await connect(withHeartbeat(url), {
    noDelay: true,
    // Who takes the connection and says nothing is as good as away.
    timeout: FIRST_CONNECTION_WAIT_MS,
    clientProperties: { connection_name: `laurel-${service}` },
    recovery: {
      initialDelay: RECONNECT_MS_FIRST,
      maxDelay: RECONNECT_MS_MAX,
      waitForConnect: false,
    },
  });
  // A connection without an error listener ends the process; recovery follows by itself.
  connection.on('error', (error) =>
    logger.warn({ err: error }, 'the connection to the broker failed'),
  );
  const since = performance.now();
  connection.on('connect-failed', (error) => {
    // A broker that is started together with its services takes some seconds.
    const level = performance.now() - since < FIRST_CONNECTION_WAIT_MS ? 'debug' : 'warn';
    logger[level]({ err: error }, 'the broker cannot be reached');
  });
  connection.on('disconnect', () => logger.warn('the broker is away; events stay in the outbox'));
  const broker = new Broker(connection, settings);
  await broker.firstConnection();
  return broker;
}

/** One service's connection to RabbitMQ. It mends itself; while it is away publishes fail at once. */
export class Broker {
  /** Topic exchange of all events. */
  readonly exchange: string;
  readonly service: string;
  private readonly logger: Logger;
  private readonly publisher: Publisher;
  private readonly publishing: ManagedChannel;
  private readonly channels = new Set<ManagedChannel>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly connection: RecoveringChannelModel,
    { exchange = DEFAULT_EXCHANGE, logger, service }: BrokerSettings,
  ) {
    this.exchange = exchange;
    this.service = service;
    this.logger = logger;
    this.publisher = new Publisher(exchange, service, logger);
    const plan: ChannelSetup = {
      name: 'publish',
      setup: (channel) => this.preparePublishing(channel),
      afterOpen: () => {
        for (const listener of this.listeners) listener();
      },
    };
    this.publishing = new ManagedChannel(connection, plan, logger);
  }

  /** For readiness: true while events can be published. */
  isConnected(): boolean {
    return this.publishing.current() !== null;
  }

  /** Persistent, mandatory, confirmed. One outcome per event, in order; never throws. */
  publish(events: readonly CloudEvent[]): Promise<PublishOutcome[]> {
    return this.publisher.publish(this.publishing.current(), events);
  }

  /** Calls `listener` whenever publishing becomes possible again; returns how to stop that. */
  onConnected(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A channel of its own for a consumer, opened again whenever it is lost. */
  openChannel(plan: ChannelSetup): ManagedChannel {
    const channel = new ManagedChannel(this.connection, plan, this.logger);
    this.channels.add(channel);
    return channel;
  }

  /** Runs work on a channel of its own, which a refusal of the broker may close. Rejects as the work does, or while the broker is away. */
  async onChannel<T>(work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
    const channel = await this.connection.createConfirmChannel();
    // Without a listener an error would end the process; what was asked rejects as well.
    channel.on('error', () => undefined);
    try {
      return await work(channel);
    } finally {
      await closeChannel(channel);
    }
  }

  /** What this connection alone is to have; null while another has it. Rejects while the broker is away. */
  takeLock(name: string): Promise<Lock | null> {
    return takeLock(this.connection, name);
  }

  /** Waits for confirms in flight, then closes every channel and the connection. */
  async close(): Promise<void> {
    await this.publisher.flushed();
    await Promise.all([...this.channels].map((channel) => channel.close()));
    await this.publishing.close();
    await this.connection.close();
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
