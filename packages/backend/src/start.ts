import {
  type backend,
  type Config,
  type Environment,
  loadConfig,
  type Settings,
} from '@laurel/config';
import {
  type Broker,
  type ConsumerSettings,
  connectBroker,
  createBroadcast,
  createOutbox,
  type Outbox,
  type OutboxSource,
  type RelaySettings,
  type SharedSlots,
  type Slots,
  startConsumer,
  startRelay,
  takeSlots,
} from '@laurel/events';
import {
  createLogger,
  Health,
  Lifecycle,
  type Logger,
  type Running,
  startHealthServer,
  startTracing,
} from '@laurel/lifecycle';
import {
  type CollectionIndexes,
  type Connection,
  connectStore,
  createStoreProbe,
  ensureIndexes,
  missingUniqueIndexes,
  onceStoreIsBack,
  planIndexes,
  storeFault,
} from '@laurel/mongo';
import {
  createRpcClient,
  type Handlers,
  type RpcClient,
  type Services,
  startRpcServer,
} from '@laurel/rpc';
import { type Job, startWork } from '@laurel/work';
import { followSandboxes } from './clock/clock';
import { cloneHandlers } from './cloning';
import type { ConsumerSpec } from './consumer-spec';
import { forgettingJobs } from './forgetting';
import { everyIndex } from './indexes';
import { connectRedis, type Redis } from './redis';
import { createRemovals } from './removals';
import { retireQueues } from './retired-queues';

type BackendSettings = typeof backend & Settings;

/** What a service is given to assemble itself from. */
export interface Backend<S extends Settings> {
  config: Config<S>;
  logger: Logger;
  lifecycle: Lifecycle;
  health: Health;
  connection: Connection;
  broker: Broker;
  outbox: Outbox;
  /** The slots that this process holds of its service (docs/adr/0040). */
  slots: Slots;
  redis: Redis;
  /** A client of another service; made once per service, closed at stop. */
  client<Name extends keyof Services>(service: Name, target: string): RpcClient<Name>;
}

/** The three tables of a service, and an outbox of its own where its log is one. */
export interface Parts<Name extends keyof Services> {
  handlers: Handlers<Name>;
  consumers?: readonly ConsumerSpec[];
  jobs?: readonly Job[];
  /** Further sources that the relay publishes from, e.g. the ledger's entries. */
  outboxSources?: readonly OutboxSource[];
}

export interface BackendSpec<Name extends keyof Services, S extends BackendSettings> {
  name: Name;
  settings: S;
  environment?: Environment | undefined;
  indexes: readonly CollectionIndexes[];
  /** Queues of consumers that it had in an earlier release. */
  retiredQueues?: readonly string[];
  /** Its use cases and jobs go by `workspaceClock`, so that the clocks of sandboxes are theirs (docs/adr/0029). */
  followsSandboxes?: true;
  assemble: (backend: Backend<S>) => Promise<Parts<Name>> | Parts<Name>;
}

export interface RunningBackend extends Running {
  rpcPort: number;
}

/**
 * Opens what every service behind the gateway has, in order, and registers each close: health, store and
 * indexes, Redis, broker, the service's own parts, relay, consumers, jobs, gRPC server. The health port comes
 * first, live and not ready: indexes of a large collection may take longer to build than any probe waits.
 * Throws when a setting is wrong or the store cannot be reached for a minute; nothing stays open then.
 */
export async function startBackend<Name extends keyof Services, S extends BackendSettings>(
  spec: BackendSpec<Name, S>,
): Promise<RunningBackend> {
  const config = loadConfig(spec.settings, spec.environment);
  const own = config as unknown as Own;
  const logger = createLogger(spec.name, own.logLevel);
  const lifecycle = new Lifecycle(logger, own.shutdownSeconds * 1_000);
  const health = new Health(spec.name);
  lifecycle.onStop('health', () => health.end());
  const around = { logger, lifecycle, health };
  const followsSandboxes = spec.followsSandboxes === true;
  return lifecycle.start(async () => {
    await startWatching(spec.name, own, around);
    const { connection, redis, broker } = await openServers(spec, own, around);
    const broadcast = createBroadcast(broker);
    const clock = await followSandboxes(connection, broadcast, broker);
    lifecycle.onStop('clock', () => clock.stop());
    const slots = await takeSlots({ broker, broadcast, logger });
    lifecycle.onStop('slots', () => slots.stop());
    const outbox = createOutbox(connection, slots);
    const client = createClients(lifecycle, own.rpcTlsFolder);
    const opened = { connection, redis, broker, outbox, slots, client };
    const parts = await spec.assemble({ config, ...around, ...opened });
    const sources = [outbox, ...(parts.outboxSources ?? [])];
    const { tally } = clock;
    startRelays(spec.name, sources, { broker, logger, broadcast, tally, lifecycle });
    const { consumers, job: removal } = createRemovals(connection, parts.consumers ?? []);
    await startConsumers(consumers, { broker, connection, logger, tally, slots, lifecycle });
    const { jobs: ownJobs = [] } = parts;
    const queues = consumers.map(({ queue }) => queue);
    const forgetting = forgettingJobs({ connection, logger, settings: own, queues });
    const retiring = retireQueues(spec.retiredQueues, { broker, logger });
    const jobs = [...ownJobs, removal, ...forgetting, ...retiring];
    const service = spec.name;
    const work = startWork({ service, jobs, connection, logger, broadcast, followsSandboxes });
    lifecycle.onStop('jobs', () => work.stop());
    const { grpcHost: host, grpcPort: port, rpcTlsFolder: tlsFolder } = own;
    const server = await startRpcServer({
      service: spec.name,
      handlers: parts.handlers,
      clock: clock.handlers({ jobs, sources, queues: consumers, followsSandboxes }),
      clone: cloneHandlers(connection, spec.indexes),
      logger,
      host,
      port,
      tlsFolder,
      callers: own.rpcCallers?.split(','),
      storeFault,
      // The other half is left to what it has asked for: jobs, events, and the way out of them.
      stopMsMax: own.shutdownSeconds * 500,
    });
    lifecycle.onStop('rpc server', () => server.stop());
    health.started();
    logger.info({ rpc_port: server.port }, `${spec.name} is ready`);
    return {
      rpcPort: server.port,
      stop: async () => {
        health.drain();
        await lifecycle.stop();
      },
    };
  });
}

/** What looks at a service and hears of it. */
interface Around {
  logger: Logger;
  lifecycle: Lifecycle;
  health: Health;
}

type Own = Config<typeof backend>;

async function startWatching(
  service: string,
  own: Own,
  { lifecycle, health }: Around,
): Promise<void> {
  if (own.otlpEndpoint) lifecycle.onStop('tracing', await startTracing(service, own.otlpEndpoint));
  if (own.healthPort === 0) return;
  const healthServer = await startHealthServer(health, own.healthPort, own.healthHost);
  lifecycle.onStop('health server', () => healthServer.stop());
}

async function openServers<Name extends keyof Services, S extends BackendSettings>(
  spec: BackendSpec<Name, S>,
  own: Own,
  around: Around,
): Promise<{ connection: Connection; redis: Redis; broker: Broker }> {
  const { logger, lifecycle, health } = around;
  const connection = await openStore(spec, own, around);
  const redis = await connectRedis(own.redisUrl, logger);
  lifecycle.onStop('redis', () => redis.destroy());
  const broker = await connectBroker({ url: own.rabbitmqUrl, logger, service: spec.name });
  lifecycle.onStop('broker', () => broker.close());
  health.add('rabbitmq', async () => broker.isConnected());
  return { connection, redis, broker };
}

async function startConsumers(
  consumers: readonly ConsumerSpec[],
  {
    slots,
    lifecycle,
    ...shared
  }: Pick<ConsumerSettings, 'broker' | 'connection' | 'logger' | 'tally'> & {
    slots: SharedSlots;
    lifecycle: Lifecycle;
  },
): Promise<void> {
  for (const { ordered, ...consumer } of consumers) {
    const ofSlots = ordered ? { ordered: slots } : {};
    const running = await startConsumer({ ...shared, ...ofSlots, ...consumer });
    lifecycle.onStop(consumer.queue, () => running.stop());
  }
}

function startRelays(
  service: string,
  sources: readonly OutboxSource[],
  { lifecycle, ...shared }: Omit<RelaySettings, 'source' | 'name'> & { lifecycle: Lifecycle },
): void {
  for (const [position, source] of sources.entries()) {
    const name = position === 0 ? service : `${service}.${position}`;
    const relay = startRelay({ ...shared, source, name });
    lifecycle.onStop('relay', () => relay.stop());
  }
}

async function openStore<Name extends keyof Services, S extends BackendSettings>(
  spec: BackendSpec<Name, S>,
  own: Own,
  { lifecycle, health, logger }: Around,
): Promise<Connection> {
  const probe = createStoreProbe(own.mongodbUri);
  lifecycle.onStop('store probe', () => probe.close());
  health.add('mongodb', () => probe.ping());
  const { mongodbUri: uri, mongodbPoolSize: poolSize } = own;
  const database = `${own.mongodbDatabasePrefix}${spec.name}`;
  const onAway = (error: unknown): void =>
    logger.warn({ err: error }, 'the store is away: it is asked again for a minute');
  const connection = await onceStoreIsBack(() => connectStore({ uri, database, poolSize }), {
    onAway,
  });
  lifecycle.onStop('store', () => connection.close());
  const indexes = everyIndex(spec.indexes);
  const compared = async () => {
    if (own.indexesAtStart === 'build') await ensureIndexes(connection, indexes);
    else await warnOfMissing(connection, indexes, logger);
    return missingUniqueIndexes(connection, indexes);
  };
  const missing = await onceStoreIsBack(compared, { onAway });
  if (missing.length > 0) throw new Error(`unique indexes are missing: ${missing.join(', ')}`);
  return connection;
}

/** What is slow without them works all the same; the caller asks for unique ones. */
async function warnOfMissing(
  connection: Connection,
  indexes: readonly CollectionIndexes[],
  logger: Logger,
): Promise<void> {
  const { missing } = await planIndexes(connection, indexes);
  const names = missing.map(({ collection, name }) => `${collection}.${name}`);
  if (names.length > 0)
    logger.warn(
      { indexes: names },
      'indexes are missing: build them with npm run indexes -- apply',
    );
}

function createClients(
  lifecycle: Lifecycle,
  tlsFolder: string | undefined,
): Backend<Settings>['client'] {
  const clients = new Map<string, unknown>();
  return (service, target) => {
    // Every service answers for its own clock: one name, many targets.
    const name = `${service} ${target}`;
    const known = clients.get(name);
    if (known) return known as RpcClient<typeof service>;
    const made = createRpcClient(service, { target, tlsFolder });
    clients.set(name, made);
    lifecycle.onStop(`${service} client`, () => made.close());
    return made;
  };
}
