import type { Logger } from '@laurel/lifecycle';
import type { ConfirmChannel, Message } from 'amqplib';
import type { CloudEvent } from '../envelope';
import { SLOT_HEADER, slotOf } from '../slots/slot-of';

/**
 * What became of a publish. `confirmed`: the broker has it safely and at least one queue took it.
 * `returned`: no queue is bound for it. `failed`: refused, or the answer is unknown.
 */
export type PublishOutcome = 'confirmed' | 'returned' | 'failed';

const IN_FLIGHT_MAX = 500;
const CONFIRM_TIMEOUT_MS = 10_000;
const ROUTING_KEY_BYTES_MAX = 255;

/** Publishes on whatever channel is open at the moment; remembers which messages came back. */
export class Publisher {
  private readonly returned = new Set<string>();
  private readonly inFlight = new Set<Promise<unknown>>();

  constructor(
    private readonly exchange: string,
    private readonly appId: string,
    private readonly logger: Logger,
  ) {}

  /** Prepares a new channel. A mandatory message that no queue takes comes back before its confirm. */
  attach(channel: ConfirmChannel): void {
    this.returned.clear();
    channel.on('return', (message: Message) =>
      this.returned.add(String(message.properties.messageId)),
    );
  }

  /** One outcome per event, in order. Never throws; keeps at most 500 unconfirmed. */
  async publish(
    channel: ConfirmChannel | null,
    events: readonly CloudEvent[],
  ): Promise<PublishOutcome[]> {
    const outcomes: PublishOutcome[] = [];
    for (let start = 0; start < events.length; start += IN_FLIGHT_MAX) {
      const window = events.slice(start, start + IN_FLIGHT_MAX);
      const published = Promise.all(window.map((event) => this.publishOne(channel, event)));
      this.inFlight.add(published);
      outcomes.push(...(await published));
      this.inFlight.delete(published);
    }
    return outcomes;
  }

  /** Resolves when everything published so far has its outcome. */
  async flushed(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  private publishOne(channel: ConfirmChannel | null, event: CloudEvent): Promise<PublishOutcome> {
    if (!channel) return Promise.resolve('failed');
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve('failed'), CONFIRM_TIMEOUT_MS);
      const settle = (outcome: PublishOutcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      try {
        channel.publish(
          this.exchange,
          routingKey(event.type),
          Buffer.from(JSON.stringify(event)),
          this.properties(event),
          (error) => {
            const returned = this.returned.delete(event.id);
            settle(error ? 'failed' : returned ? 'returned' : 'confirmed');
          },
        );
      } catch (error) {
        // The channel went away between the look and the call.
        this.logger.debug(
          { err: error, event_id: event.id },
          'an event could not be handed to the broker',
        );
        settle('failed');
      }
    });
  }

  private properties(event: CloudEvent) {
    return {
      persistent: true,
      mandatory: true,
      contentType: 'application/cloudevents+json',
      messageId: event.id,
      correlationId: event.correlationid,
      timestamp: Math.floor(Date.parse(event.time) / 1000),
      appId: this.appId,
      headers: { [SLOT_HEADER]: String(slotOf(event)) },
    };
  }
}

/** The event type, cut to what AMQP can carry: only long custom types in wide alphabets are. */
export function routingKey(type: string): string {
  if (Buffer.byteLength(type) <= ROUTING_KEY_BYTES_MAX) return type;
  let cut = type;
  while (Buffer.byteLength(cut) > ROUTING_KEY_BYTES_MAX) cut = cut.slice(0, -1);
  return cut;
}
