import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@laurel/lifecycle';
import { type ConfirmChannel, connect } from 'amqplib';
import type { CloudEvent } from '../envelope';
import { type ManagedChannel, manageChannel } from './managed-channel';
import { Publisher, type PublishOutcome } from './publisher';

export const DEFAULT_EXCHANGE = 'loyalty.events';
const FIRST_CONNECTION_WAIT_MS = 10_000;
const RECONNECT_MS_FIRST = 100;
const RECONNECT_MS_MAX = 5_000;
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

export interface ChannelSetup {
  name: string;
  setup: (channel: ConfirmChannel) => Promise<void>;
  beforeClose?: (channel: ConfirmChannel) => Promise<void>;
}

/** One service's connection to RabbitMQ. It mends itself; while it is away publishes fail at once. */
export interface Broker {
  readonly exchange: string;
  readonly service: string;
  /** For readiness: true while events can be published. */
  isConnected(): boolean;
  /** Persistent, mandatory, confirmed. One outcome per event, in order; never throws. */
  publish(events: readonly CloudEvent[]): Promise<PublishOutcome[]>;
  /** Calls `listener` whenever publishing becomes possible again; returns how to stop that. */
  onConnected(listener: () => void): () => void;
  /** A channel of its own for a consumer, opened again whenever it is lost. */
  openChannel(setup: ChannelSetup): ManagedChannel;
  /** Waits for confirms in flight, then closes every channel and the connection. */
  close(): Promise<void>;
}

/**
 * Connects to the broker and declares the exchange. Resolves once connected, or after ten seconds
 * with the connection still being tried: a service starts and accepts writes while the broker is
 * away, and its outbox leaves when it comes.
 */
export async function connectBroker(settings: BrokerSettings): Promise<Broker> {
  const { url, logger, service, exchange = DEFAULT_EXCHANGE } = settings;
  const connection = await connect(withHeartbeat(url), {
    noDelay: true,
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
  connection.on('connect-failed', (error) =>
    logger.warn({ err: error }, 'the broker cannot be reached'),
  );
  connection.on('disconnect', () => logger.warn('the broker is away; events stay in the outbox'));

  const publisher = new Publisher(exchange, service, logger);
  const listeners = new Set<() => void>();
  const channels = new Set<ManagedChannel>();
  const publishing = manageChannel({
    connection,
    name: 'publish',
    logger,
    setup: async (channel) => {
      await channel.assertExchange(exchange, 'topic', { durable: true });
      publisher.attach(channel);
      // Listeners run when the channel is in use, which is right after its setup.
      setImmediate(() => {
        for (const listener of listeners) listener();
      });
    },
  });
  await firstConnection(publishing, logger);

  return {
    exchange,
    service,
    isConnected: () => publishing.current() !== null,
    publish: (events) => publisher.publish(publishing.current(), events),
    onConnected(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    openChannel(setup) {
      const channel = manageChannel({ connection, logger, ...setup });
      channels.add(channel);
      return channel;
    },
    async close() {
      await publisher.flushed();
      await Promise.all([...channels].map((channel) => channel.close()));
      await publishing.close();
      await connection.close();
    },
  };
}

async function firstConnection(publishing: ManagedChannel, logger: Logger): Promise<void> {
  const waited = new AbortController();
  const opened = publishing.opened().then(() => true);
  const late = pause(FIRST_CONNECTION_WAIT_MS, false, { signal: waited.signal }).catch(() => true);
  const connected = await Promise.race([opened, late]);
  waited.abort();
  if (!connected) logger.warn('started while the broker is away');
  opened.catch(() => undefined);
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat'))
    parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.toString();
}
