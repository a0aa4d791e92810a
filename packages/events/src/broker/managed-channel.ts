import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@laurel/lifecycle';
import type { ConfirmChannel, RecoveringChannelModel } from 'amqplib';

const REOPEN_MS_FIRST = 100;
const REOPEN_MS_MAX = 5_000;

export interface ManagedChannel {
  /** The open channel with its topology in place; null while the broker is away. */
  current(): ConfirmChannel | null;
  /** Resolves once a channel is open. Rejects when the channel is closed for good. */
  opened(): Promise<ConfirmChannel>;
  close(): Promise<void>;
}

interface ManagedChannelOptions {
  connection: RecoveringChannelModel;
  name: string;
  logger: Logger;
  /** Runs on every new channel before it is used: declares topology, subscribes. */
  setup: (channel: ConfirmChannel) => Promise<void>;
  /** Runs before the orderly close of the last channel: finishes what is in flight. */
  beforeClose?: (channel: ConfirmChannel) => Promise<void>;
}

/**
 * A confirm channel that is opened again whenever it is lost, with its setup repeated, so that its
 * users see either a working channel or none. amqplib recovers connections, not channels.
 */
export function manageChannel(options: ManagedChannelOptions): ManagedChannel {
  const { connection, name, logger, setup, beforeClose } = options;
  let channel: ConfirmChannel | null = null;
  let stopping = false;
  let waiting: { resolve: (open: ConfirmChannel) => void; reject: (reason: Error) => void }[] = [];
  const closing = new AbortController();

  function settleWaiting(open: ConfirmChannel | null): void {
    for (const waiter of waiting) {
      if (open) waiter.resolve(open);
      else waiter.reject(new Error(`channel ${name} is closed`));
    }
    waiting = [];
  }

  /** Opens one channel and stays until it is gone. Throws when it could not be made usable. */
  async function live(): Promise<void> {
    const opened = await connection.createConfirmChannel();
    const lost = new Promise<void>((resolve) => opened.once('close', resolve));
    // Without a listener an error would end the process; 'close' always follows it.
    opened.on('error', (error) =>
      logger.warn({ err: error, channel: name }, 'the broker closed a channel'),
    );
    try {
      await setup(opened);
      if (stopping) throw new Error(`channel ${name} is closed`);
    } catch (error) {
      await opened.close().catch(() => undefined);
      throw error;
    }
    channel = opened;
    settleWaiting(opened);
    await lost;
    channel = null;
  }

  const life = (async () => {
    let delay = REOPEN_MS_FIRST;
    while (!stopping) {
      try {
        await live();
        delay = REOPEN_MS_FIRST;
      } catch (error) {
        if (stopping) break;
        logger.warn({ err: error, channel: name }, 'a channel could not be opened');
        delay = Math.min(delay * 2, REOPEN_MS_MAX);
      }
      if (!stopping)
        await pause(delay, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();

  return {
    current: () => channel,
    opened: () =>
      channel
        ? Promise.resolve(channel)
        : stopping
          ? Promise.reject(new Error(`channel ${name} is closed`))
          : new Promise((resolve, reject) => waiting.push({ resolve, reject })),
    async close() {
      if (stopping) return;
      stopping = true;
      closing.abort();
      settleWaiting(null);
      const last = channel;
      if (last && beforeClose) await beforeClose(last);
      // A channel lost in the meantime is closed already.
      await last?.close().catch(() => undefined);
      if (last) await life;
    },
  };
}
