import type { Logger } from '@laurel/lifecycle';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { Broker } from '../broker/broker';
import { parseEnvelope } from '../envelope';
import { SLOT_HEADER, slotOf } from '../slots/slot-of';
import { attemptsOf, forwarded, HEADERS } from './headers';
import { lookAtQueue } from './look-at-queue';
import { retireAlone } from './retire-alone';
import { retryQueue, slotsExchange, type Topology } from './topology';

const NOT_FOUND = 404;
const MOVED_AT_ONCE = 200;
/** A consumer that stops has cancelled already and may still hold deliveries: a second look waits for it. */
const QUIET_LOOKS = 2;

interface Retiring {
  broker: Broker;
  topology: Topology;
  /** Delays of the retry queues that may lead back into it. */
  delaysMs: readonly number[];
  logger: Logger;
}

/**
 * Ends the one queue that an ordered consumer had in older releases (docs/adr/0040): no new events come into it, what waits
 * there goes into the slots when no older replica consumes it any more, and when it stays empty it is deleted.
 */
export class Retirement {
  private quietLooks = 0;
  private done = false;

  constructor(private readonly settings: Retiring) {}

  /** One look, to be repeated. Rejects when the broker lets it down; nothing is lost then. */
  async look(): Promise<void> {
    if (this.done) return;
    const { broker, topology } = this.settings;
    await retireAlone(broker, topology.queue, async () => {
      try {
        await broker.onChannel((channel) => this.advance(channel));
      } catch (error) {
        if ((error as { code?: number }).code !== NOT_FOUND) throw error;
        this.done = true;
      }
    });
  }

  private async advance(channel: ConfirmChannel): Promise<void> {
    const { queue, exchange, bindings } = this.settings.topology;
    const { consumerCount } = await channel.checkQueue(queue);
    // An older replica binds it again every half minute.
    for (const pattern of bindings) await channel.unbindQueue(queue, exchange, pattern);
    const isQuiet =
      consumerCount === 0 &&
      (await this.moveAll(channel)) === 0 &&
      (await this.isAwaited()) === false;
    this.quietLooks = isQuiet ? this.quietLooks + 1 : 0;
    if (this.quietLooks < QUIET_LOOKS) return;
    for (const name of this.retryQueues()) await channel.deleteQueue(name);
    await channel.deleteQueue(queue);
    this.settings.logger.info({ queue }, 'the queue of an older release is empty and was deleted');
    this.done = true;
  }

  /** How many were moved. Each leaves only after the broker has it in its slot. */
  private async moveAll(channel: ConfirmChannel): Promise<number> {
    let moved = 0;
    for (;;) {
      const page = await takePage(channel, this.settings.topology.queue);
      for (const message of page) this.moveOne(channel, message);
      await channel.waitForConfirms();
      for (const message of page) channel.ack(message);
      moved += page.length;
      if (page.length < MOVED_AT_ONCE) return moved;
    }
  }

  private moveOne(channel: ConfirmChannel, message: GetMessage): void {
    const headers = { [HEADERS.attempts]: attemptsOf(message), ...slotHeader(message) };
    const exchange = slotsExchange(this.settings.topology.queue);
    channel.publish(
      exchange,
      message.fields.routingKey,
      message.content,
      forwarded(message, headers),
    );
  }

  /** Whether something waits that would come back into the queue. */
  private async isAwaited(): Promise<boolean> {
    for (const name of this.retryQueues()) {
      const found = await lookAtQueue(this.settings.broker, name);
      if (found && found.messageCount > 0) return true;
    }
    return false;
  }

  private retryQueues(): string[] {
    const { delaysMs, topology } = this.settings;
    const family = { queue: topology.queue, ordered: false };
    return delaysMs.map((delayMs) => retryQueue(family, delayMs));
  }
}

async function takePage(channel: ConfirmChannel, queue: string): Promise<GetMessage[]> {
  const page: GetMessage[] = [];
  while (page.length < MOVED_AT_ONCE) {
    const message = await channel.get(queue);
    if (!message) break;
    page.push(message);
  }
  return page;
}

/** None for what cannot be read: it goes to the first slot, whose consumer parks it. */
function slotHeader({ content }: GetMessage): Record<string, string> {
  try {
    return { [SLOT_HEADER]: String(slotOf(parseEnvelope(content))) };
  } catch {
    return {};
  }
}
