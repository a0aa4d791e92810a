import { setTimeout as pause } from 'node:timers/promises';
import {
  createInTurn,
  every,
  type InTurn,
  mayFail,
  newId,
  noteSandbox,
  type Timer,
} from '@laurel/lifecycle';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { closeChannel } from '../broker/farewell';
import type { ManagedChannel } from '../broker/managed-channel';
import { type CloudEvent, parseEnvelope } from '../envelope';
import { messaging } from '../metrics';
import { createDeliveryHandler, type HandleDelivery } from './handle-delivery';
import { createInbox } from './inbox';
import { createPatience } from './patience';
import { Retirement } from './retirement';
import { createSettler, type Delivery, type Settler } from './settle';
import {
  bindQueue,
  declareQueues,
  parkedQueue,
  retryQueue,
  slotQueue,
  type Topology,
  workQueues,
} from './topology';
import { bindingsOf, type Consumer, type ConsumerSettings } from './types';

const PREFETCH = 50;
/** Of an ordered queue: what the slots of one process have in hand together is about what one queue would. */
const SLOT_PREFETCH_PART = 8;
const MAX_ATTEMPTS = 8;
/** About three quarters of an hour in all: longer than a restart of anything an event needs. */
export const RETRY_DELAYS_MS = [500, 2_000, 10_000, 30_000, 120_000, 600_000, 1_800_000];
export const NEWER_RETRY_MS = 60_000;
const TEND_MS = 30_000;
const IDLE_CHECK_MS = 20;

/**
 * Consumes a queue of its own: at least once, effects once (`once`), a bounded number of attempts
 * through retry queues, then parking (docs/adr/0004). Events about one subject
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
  private readonly process: HandleDelivery;
  private readonly inLane: InTurn;
  private readonly channel: ManagedChannel;
  private readonly tending: Timer;
  private readonly retirement: Retirement | undefined;
  private readonly leaveSlots: (() => void) | undefined;
  /** What is in hand, and the work queue that it came from. */
  private readonly inHand = new Map<Promise<void>, string>();
  /** Our subscriptions by work queue, on the channel that has its queues. */
  private readonly tags = new Map<string, string>();
  private subscribing: ConfirmChannel | null = null;
  private readonly ending = new AbortController();
  private stopping = false;

  constructor(private readonly settings: ConsumerSettings) {
    const { broker, connection, queue, logger, ordered } = settings;
    const { prefetch = PREFETCH, maxAttempts = MAX_ATTEMPTS, tendMs = TEND_MS } = settings;
    const { retryDelaysMs = RETRY_DELAYS_MS, newerRetryMs = NEWER_RETRY_MS } = settings;
    const bindings = bindingsOf(settings);
    const { exchange } = broker;
    this.topology = { queue, bindings, ordered: ordered !== undefined, exchange };
    const policy = { maxAttempts, retryDelaysMs, newerRetryMs };
    this.settler = createSettler(this.topology, policy, {
      logger,
      broker,
      ending: this.ending.signal,
    });
    const inbox = createInbox(connection, queue);
    const patiently = createPatience(this.ending.signal);
    const isLost = ({ channel }: Delivery) => channel !== this.subscribing;
    const parts = { inbox, settler: this.settler, patiently, isLost };
    this.process = createDeliveryHandler({ ...settings, prefetch }, parts);
    // A batch is one task already; splitting it by subject would leave nothing to gather.
    this.inLane = settings.batch ? (_, task) => task() : createInTurn();
    const delaysMs = [...retryDelaysMs, newerRetryMs];
    if (ordered)
      this.retirement = new Retirement({ broker, topology: this.topology, delaysMs, logger });
    this.channel = broker.openConsumerChannel({
      name: queue,
      setup: (opened) => this.subscribe(opened, prefetch),
      beforeClose: (last) => this.unsubscribe(last),
    });
    this.leaveSlots = ordered?.use({
      gained: () => void this.consumeAll().catch(mayFail('the next channel consumes all')),
      lost: (slot) => this.leave(slotQueue(queue, slot)),
    });
    this.tending = every(`${queue}.tend`, tendMs, () => void this.tend());
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
    this.leaveSlots?.();
    await this.channel.close();
    await Promise.all(this.inHand.keys());
  }

  private async subscribe(channel: ConfirmChannel, prefetch: number): Promise<void> {
    const { ordered } = this.topology;
    this.subscribing = null;
    this.tags.clear();
    await declareQueues(channel, this.topology);
    await channel.prefetch(ordered ? Math.ceil(prefetch / SLOT_PREFETCH_PART) : prefetch);
    this.subscribing = channel;
    channel.once('close', () => {
      if (this.subscribing === channel) this.subscribing = null;
    });
    await this.consumeAll();
  }

  /** Subscribes to each work queue that is ours and not subscribed to yet. */
  private async consumeAll(): Promise<void> {
    const channel = this.subscribing;
    if (!channel || this.stopping) return;
    const { queue, ordered } = this.settings;
    const ours = ordered ? ordered.held().map((slot) => slotQueue(queue, slot)) : [queue];
    const fresh = ours.filter((name) => !this.tags.has(name));
    for (const name of fresh) this.tags.set(name, newId());
    await Promise.all(
      fresh.map((name) => {
        const receive = (message: ConsumeMessage | null) => this.receive(channel, message, name);
        return channel.consume(name, receive, { consumerTag: this.tags.get(name) });
      }),
    );
  }

  /** Takes nothing more from a work queue and finishes what is in hand of it. */
  private async leave(name: string): Promise<void> {
    const tag = this.tags.get(name);
    this.tags.delete(name);
    // A channel that is gone has no subscription left to cancel.
    if (tag)
      await this.subscribing
        ?.cancel(tag)
        .catch(mayFail('a channel that is gone has no subscription'));
    const inHand = [...this.inHand].filter(([, from]) => from === name);
    await Promise.all(inHand.map(([handling]) => handling));
  }

  private async unsubscribe(channel: ConfirmChannel): Promise<void> {
    const cancelled = [...this.tags.values()].map((tag) => channel.cancel(tag));
    await Promise.allSettled(cancelled);
    await Promise.all(this.inHand.keys());
    this.settler.flush(channel);
  }

  private receive(channel: ConfirmChannel, message: ConsumeMessage | null, from: string): void {
    if (!message) {
      // The broker cancelled us, e.g. because the queue was deleted: start over with a new channel.
      void closeChannel(channel);
      return;
    }
    // What arrives after stop() stays unanswered and goes back to the queue with the channel.
    if (this.stopping) return;
    const handling: Promise<void> = this.take({ channel, message }).finally(() =>
      this.inHand.delete(handling),
    );
    this.inHand.set(handling, from);
  }

  private async take(delivery: Delivery): Promise<void> {
    if (await this.settler.setApart(delivery)) return;
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
      const parked = await channel.checkQueue(parkedQueue(queue));
      messaging.depth.set({ queue, kind: 'work' }, await countIn(channel, this.workQueues));
      messaging.depth.set({ queue, kind: 'parked' }, parked.messageCount);
      await this.retirement?.look();
    } catch (error) {
      logger.warn({ err: error, queue }, 'the queue could not be measured');
    }
  }

  private async countWaiting(): Promise<number> {
    const channel = await this.channel.opened();
    const retries = this.settler.usedDelays().map((delayMs) => retryQueue(this.topology, delayMs));
    return countIn(channel, [...this.workQueues, ...retries]);
  }

  private get workQueues(): readonly string[] {
    return workQueues(this.topology);
  }
}

/** How many messages wait in some queues together. */
async function countIn(channel: ConfirmChannel, queues: readonly string[]): Promise<number> {
  const found = await Promise.all(queues.map((name) => channel.checkQueue(name)));
  return found.reduce((sum, { messageCount }) => sum + messageCount, 0);
}
