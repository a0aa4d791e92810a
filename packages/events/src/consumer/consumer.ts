import { setTimeout as pause } from 'node:timers/promises';
import { createInTurn, every, type InTurn, noteSandbox, type Timer } from '@laurel/lifecycle';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { ManagedChannel } from '../broker/managed-channel';
import { type CloudEvent, parseEnvelope } from '../envelope';
import { messaging } from '../metrics';
import { createInbox } from './inbox';
import { createPatience } from './patience';
import { createProcess, type Process } from './process';
import { createSettler, type Delivery, type Settler } from './settle';
import { bindQueue, declareQueues, parkedQueue, retryQueue, type Topology } from './topology';
import { bindingsOf, type Consumer, type ConsumerSettings } from './types';

const PREFETCH = 50;
const MAX_ATTEMPTS = 8;
/** About three quarters of an hour in all: longer than a restart of anything an event needs. */
const RETRY_DELAYS_MS = [500, 2_000, 10_000, 30_000, 120_000, 600_000, 1_800_000];
const NEWER_RETRY_MS = 60_000;
const TEND_MS = 30_000;
const IDLE_CHECK_MS = 20;

/**
 * Consumes a queue of its own: at least once, effects once (`once`), a bounded number of attempts
 * through retry queues, then parking (design.md section 5; docs/adr/0004). Events about one subject
 * are handled in the order they arrive here; others at the same time. Resolves once consuming; while
 * the broker is away it resolves at once, and consuming begins when the broker comes.
 */
export async function startConsumer(settings: ConsumerSettings): Promise<Consumer> {
  const consumer = new QueueConsumer(settings);
  await consumer.started();
  return consumer;
}

class QueueConsumer implements Consumer {
  private readonly topology: Topology;
  private readonly settler: Settler;
  private readonly process: Process;
  private readonly inLane: InTurn;
  private readonly channel: ManagedChannel;
  private readonly tending: Timer;
  private readonly inHand = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private consumerTag = '';
  private stopping = false;

  constructor(private readonly settings: ConsumerSettings) {
    const { broker, connection, queue, logger, singleActive = false } = settings;
    const { prefetch = PREFETCH, maxAttempts = MAX_ATTEMPTS } = settings;
    const { retryDelaysMs = RETRY_DELAYS_MS, newerRetryMs = NEWER_RETRY_MS } = settings;
    const bindings = bindingsOf(settings);
    this.topology = { queue, bindings, singleActive, exchange: broker.exchange };
    this.settler = createSettler(queue, { maxAttempts, retryDelaysMs, newerRetryMs }, logger);
    const inbox = createInbox(connection, queue);
    const patiently = createPatience(this.ending.signal);
    const parts = { inbox, settler: this.settler, patiently };
    this.process = createProcess({ ...settings, prefetch }, parts);
    // A batch is one task already; splitting it by subject would leave nothing to gather.
    this.inLane = settings.batch ? (_, task) => task() : createInTurn();
    this.channel = broker.openChannel({
      name: queue,
      setup: (opened) => this.subscribe(opened, prefetch),
      beforeClose: (last) => this.unsubscribe(last),
    });
    this.tending = every(`${queue}.tend`, TEND_MS, () => void this.tend());
  }

  async started(): Promise<void> {
    if (this.settings.broker.isConnected()) await this.channel.opened();
  }

  async whenIdle(): Promise<void> {
    // Twice in a row: a message between two queues is in neither for a moment.
    for (let quiet = 0; quiet < 2; ) {
      const waiting = await this.countWaiting();
      quiet = waiting + this.inHand.size === 0 ? quiet + 1 : 0;
      await pause(IDLE_CHECK_MS);
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.ending.abort();
    this.tending.cancel();
    await this.channel.close();
    await Promise.all(this.inHand);
  }

  private async subscribe(channel: ConfirmChannel, prefetch: number): Promise<void> {
    const { queue } = this.settings;
    await declareQueues(channel, this.topology);
    await channel.prefetch(prefetch);
    const subscription = await channel.consume(queue, (message) => this.receive(channel, message));
    this.consumerTag = subscription.consumerTag;
  }

  private async unsubscribe(channel: ConfirmChannel): Promise<void> {
    // A channel that is gone has no subscription left to cancel.
    await channel.cancel(this.consumerTag).catch(() => undefined);
    await Promise.all(this.inHand);
  }

  private receive(channel: ConfirmChannel, message: ConsumeMessage | null): void {
    if (!message) {
      // The broker cancelled us, e.g. because the queue was deleted: start over with a new channel.
      void channel.close().catch(() => undefined);
      return;
    }
    // What arrives after stop() stays unanswered and goes back to the queue with the channel.
    if (this.stopping) return;
    const handling: Promise<void> = this.take({ channel, message }).finally(() =>
      this.inHand.delete(handling),
    );
    this.inHand.add(handling);
  }

  private async take(delivery: Delivery): Promise<void> {
    let event: CloudEvent;
    try {
      event = parseEnvelope(delivery.message.content);
    } catch (error) {
      await this.settler.failed(delivery, error);
      return;
    }
    if (event.workspaceid && event.sandboxahead !== undefined)
      noteSandbox(event.workspaceid, event.sandboxahead);
    const lane = `${event.workspaceid} ${event.subject}`;
    await this.inLane(lane, () => this.process(event, delivery));
  }

  /** Measures the queues and puts bindings back that somebody removed. */
  private async tend(): Promise<void> {
    const channel = this.channel.current();
    if (!channel) return;
    const { queue, logger } = this.settings;
    try {
      await bindQueue(channel, this.topology);
      const work = await channel.checkQueue(queue);
      const parked = await channel.checkQueue(parkedQueue(queue));
      messaging.depth.set({ queue, kind: 'work' }, work.messageCount);
      messaging.depth.set({ queue, kind: 'parked' }, parked.messageCount);
    } catch (error) {
      logger.warn({ err: error, queue }, 'the queue could not be measured');
    }
  }

  private async countWaiting(): Promise<number> {
    const { queue } = this.settings;
    const channel = await this.channel.opened();
    const retries = this.settler.usedDelays().map((delayMs) => retryQueue(queue, delayMs));
    let waiting = 0;
    for (const name of [queue, ...retries])
      waiting += (await channel.checkQueue(name)).messageCount;
    return waiting;
  }
}
