import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@laurel/lifecycle';
import { mayFail } from '@laurel/lifecycle';
import type { ConfirmChannel, RecoveringChannelModel } from 'amqplib';
import { closeChannel } from './farewell';

const REOPEN_MS_FIRST = 100;
const REOPEN_MS_MAX = 5_000;

export interface ChannelSetup {
  /** Names the channel in logs. */
  name: string;
  /** Runs on every new channel before it is used: declares topology, subscribes. */
  setup: (channel: ConfirmChannel) => Promise<void>;
  /** Runs each time the channel is in use from now on. */
  afterOpen?: () => void;
  /** Runs before the orderly close of the last channel: finishes what is in flight. */
  beforeClose?: (channel: ConfirmChannel) => Promise<void>;
}

interface Waiter {
  resolve: (channel: ConfirmChannel) => void;
  reject: (reason: Error) => void;
}

/**
 * A confirm channel that is opened again whenever it is lost, with its setup repeated, so that its
 * users see either a working channel or none. amqplib recovers connections, not channels.
 */
export class ManagedChannel {
  private channel: ConfirmChannel | null = null;
  private waiting: Waiter[] = [];
  private readonly closing = new AbortController();
  private readonly life: Promise<void>;

  constructor(
    private readonly connection: RecoveringChannelModel,
    private readonly plan: ChannelSetup,
    private readonly logger: Logger,
  ) {
    this.life = this.keepOpen();
  }

  /** The open channel with its topology in place; null while the broker is away. */
  current(): ConfirmChannel | null {
    return this.channel;
  }

  /** Resolves once a channel is open. Rejects when this one is closed for good. */
  opened(): Promise<ConfirmChannel> {
    if (this.channel) return Promise.resolve(this.channel);
    if (this.stopping) return Promise.reject(this.closedError());
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  async close(): Promise<void> {
    if (this.stopping) return;
    this.closing.abort();
    for (const waiter of this.waiting.splice(0)) waiter.reject(this.closedError());
    const last = this.channel;
    // Without a channel the loop ends with the connection: nothing is open that could be waited for.
    if (!last) return;
    await this.plan.beforeClose?.(last);
    // One that is not closed yet goes with its connection.
    if (await closeChannel(last)) await this.life;
  }

  private get stopping(): boolean {
    return this.closing.signal.aborted;
  }

  private closedError(): Error {
    return new Error(`channel ${this.plan.name} is closed`);
  }

  private async keepOpen(): Promise<void> {
    let delay = REOPEN_MS_FIRST;
    while (!this.stopping) {
      try {
        await this.live();
        delay = REOPEN_MS_FIRST;
      } catch (error) {
        if (this.stopping) return;
        this.logger.warn({ err: error, channel: this.plan.name }, 'a channel could not be opened');
        delay = Math.min(delay * 2, REOPEN_MS_MAX);
      }
      await pause(delay, undefined, { signal: this.closing.signal }).catch(
        mayFail('a close ends the pause'),
      );
    }
  }

  /** Opens one channel and stays until it is gone. Throws when it could not be made usable. */
  private async live(): Promise<void> {
    const { name, setup } = this.plan;
    const opened = await this.connection.createConfirmChannel();
    const lost = new Promise<void>((resolve) => opened.once('close', resolve));
    // Without a listener an error would end the process; 'close' always follows it.
    opened.on('error', (error) =>
      this.logger.warn({ err: error, channel: name }, 'the broker closed a channel'),
    );
    try {
      await setup(opened);
      if (this.stopping) throw this.closedError();
    } catch (error) {
      await closeChannel(opened);
      throw error;
    }
    this.channel = opened;
    for (const waiter of this.waiting.splice(0)) waiter.resolve(opened);
    this.plan.afterOpen?.();
    await lost;
    this.channel = null;
  }
}
