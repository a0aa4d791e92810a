import type { ConfirmChannel, ConsumeMessage } from 'amqplib';

/**
 * The acknowledgements of a channel whose deliveries all come by here. What is settled in one turn of the event loop is
 * acknowledged together, as far as nothing before it is in hand: with one acknowledgement for each delivery these were half
 * of all writes to sockets that an earn caused.
 */
export class Acknowledgements {
  /** Every delivery up to this tag has its answer; the tags of a channel count from one. */
  private answeredUpTo = 0;
  /** What has its answer beyond that. */
  private readonly answered = new Set<number>();
  private settled: ConsumeMessage[] = [];

  /** @param channel its `ack` may throw: then the channel is gone, and the broker delivers again */
  constructor(
    private readonly channel: Pick<ConfirmChannel, 'ack'>,
    private readonly onGone: (error: unknown) => void,
  ) {}

  /** Acknowledges a delivery by the end of this turn. */
  add(message: ConsumeMessage): void {
    if (this.settled.push(message) === 1) process.nextTick(() => this.flush());
  }

  /** For a delivery that has another answer. */
  skip(message: ConsumeMessage): void {
    this.answered.add(tagOf(message));
  }

  /** Acknowledges at once what is settled: a channel that closes now would give it back. */
  flush(): void {
    const settled = this.settled.sort((one, other) => tagOf(one) - tagOf(other));
    this.settled = [];
    for (const message of settled) this.answered.add(tagOf(message));
    while (this.answered.delete(this.answeredUpTo + 1)) this.answeredUpTo += 1;
    const behind = settled.filter((message) => tagOf(message) > this.answeredUpTo);
    const last = settled[settled.length - behind.length - 1];
    try {
      if (last) this.channel.ack(last, true);
      for (const message of behind) this.channel.ack(message);
    } catch (error) {
      this.onGone(error);
    }
  }
}

const tagOf = ({ fields }: ConsumeMessage): number => fields.deliveryTag;
