import { setTimeout as pause } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { ManagedChannel } from '../broker/managed-channel';
import { type CloudEvent, parseEnvelope } from '../envelope';
import { messaging } from '../metrics';
import { createInbox } from './inbox';
import { createLanes } from './lanes';
import { createProcess } from './process';
import { createSettler, type Delivery, type Settler } from './settle';
import { bindQueue, declareQueues, parkedQueue, retryQueue, type Topology } from './topology';
import type { Consumer, ConsumerSettings } from './types';

const PREFETCH = 50;
const MAX_ATTEMPTS = 8;
/** About three quarters of an hour in all: longer than a restart of anything an event needs. */
const RETRY_DELAYS_MS = [500, 2_000, 10_000, 30_000, 120_000, 600_000, 1_800_000];
const TEND_MS = 30_000;
const IDLE_CHECK_MS = 20;

/**
 * Consumes a queue of its own: at least once, effects once (`once`), a bounded number of attempts
 * through retry queues, then parking (design.md section 5; docs/adr/0004). Events about one subject
 * are handled in the order they arrive here; others at the same time. Resolves once consuming; while
 * the broker is away it resolves at once, and consuming begins when the broker comes.
 */
export async function startConsumer(settings: ConsumerSettings): Promise<Consumer> {
  const {
    broker,
    connection,
    queue,
    bindings,
    logger,
    prefetch = PREFETCH,
    singleActive = false,
  } = settings;
  const { maxAttempts = MAX_ATTEMPTS, retryDelaysMs = RETRY_DELAYS_MS } = settings;
  const topology: Topology = { queue, bindings, singleActive, exchange: broker.exchange };
  const settler = createSettler(queue, { maxAttempts, retryDelaysMs }, logger);
  const process = createProcess({ ...settings, prefetch }, createInbox(connection, queue), settler);
  const inLane = settings.handleBatch
    ? (_: string, task: () => Promise<void>) => task()
    : createLanes();
  const inHand = new Set<Promise<void>>();
  let stopping = false;
  let consumerTag = '';

  async function take(delivery: Delivery): Promise<void> {
    let event: CloudEvent;
    try {
      event = parseEnvelope(delivery.message.content);
    } catch (error) {
      await settler.failed(delivery, error);
      return;
    }
    await inLane(`${event.workspaceid} ${event.subject}`, () => process(event, delivery));
  }

  function receive(channel: ConfirmChannel, message: ConsumeMessage | null): void {
    // The broker cancelled us, e.g. because the queue was deleted: start over with a new channel.
    if (!message) return void channel.close().catch(() => undefined);
    // What arrives after stop() stays unanswered and goes back to the queue with the channel.
    if (stopping) return;
    const handling: Promise<void> = take({ channel, message }).finally(() =>
      inHand.delete(handling),
    );
    inHand.add(handling);
  }

  const channel = broker.openChannel({
    name: queue,
    async setup(opened) {
      await declareQueues(opened, topology);
      await opened.prefetch(prefetch);
      const subscription = await opened.consume(queue, (message) => receive(opened, message));
      consumerTag = subscription.consumerTag;
    },
    async beforeClose(last) {
      await last.cancel(consumerTag).catch(() => undefined);
      await Promise.all(inHand);
    },
  });
  const tending = setInterval(() => void tend(channel, topology, settings), TEND_MS);
  tending.unref();
  if (broker.isConnected()) await channel.opened();

  return {
    whenIdle: () => untilIdle(channel, queue, settler, () => inHand.size),
    async stop() {
      stopping = true;
      clearInterval(tending);
      await channel.close();
      await Promise.all(inHand);
    },
  };
}

/** Measures the queues and puts bindings back that somebody removed. */
async function tend(
  managed: ManagedChannel,
  topology: Topology,
  { logger }: ConsumerSettings,
): Promise<void> {
  const channel = managed.current();
  if (!channel) return;
  const { queue } = topology;
  try {
    await bindQueue(channel, topology);
    const work = await channel.checkQueue(queue);
    const parked = await channel.checkQueue(parkedQueue(queue));
    messaging.depth.set({ queue, kind: 'work' }, work.messageCount);
    messaging.depth.set({ queue, kind: 'parked' }, parked.messageCount);
  } catch (error) {
    logger.warn({ err: error, queue }, 'the queue could not be measured');
  }
}

async function untilIdle(
  managed: ManagedChannel,
  queue: string,
  settler: Settler,
  inHand: () => number,
): Promise<void> {
  // Twice in a row: a message between two queues is in neither for a moment.
  for (let quiet = 0; quiet < 2; ) {
    const channel = await managed.opened();
    const queues = [queue, ...settler.usedDelays().map((delayMs) => retryQueue(queue, delayMs))];
    let waiting = inHand();
    for (const name of queues) waiting += (await channel.checkQueue(name)).messageCount;
    quiet = waiting + inHand() === 0 ? quiet + 1 : 0;
    await pause(IDLE_CHECK_MS);
  }
}
