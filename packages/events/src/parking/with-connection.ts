import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { mayFail } from '@laurel/lifecycle';
import { type ChannelModel, connect } from 'amqplib';

/** Who takes a connection and says nothing is as good as away. */
const ANSWER_MS_MAX = 10_000;
const HEARTBEAT_SECONDS = 5;
const FAREWELL_MS_MAX = 1_000;

/** The broker has an alarm: what is sent to it does not arrive before somebody frees what it is short of. */
export class BrokerBlocked extends Error {
  constructor(reason: string) {
    super(`it takes nothing in: ${reason}`);
    this.name = 'BrokerBlocked';
  }
}

/**
 * Works on a connection of its own, for somebody who waits for the answer. Rejects when the broker goes away, falls silent
 * or has an alarm meanwhile: what it was asked then would never be answered.
 */
export async function withConnection<T>(
  url: string,
  work: (connection: ChannelModel) => Promise<T>,
): Promise<T> {
  const parsed = new URL(url);
  parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  const connection = await connect(parsed.href, { timeout: ANSWER_MS_MAX });
  const ended = new Promise<never>((_, reject) => {
    connection.once('blocked', (reason) => reject(new BrokerBlocked(reason)));
    connection.on('error', reject);
    connection.once('close', () => reject(new Error('the connection ended')));
  });
  try {
    return await Promise.race([work(connection), ended]);
  } finally {
    await leave(connection);
  }
}

/** A broker with an alarm does not even read that somebody leaves. */
async function leave(connection: ChannelModel): Promise<void> {
  const closed = connection.close().catch(mayFail('a connection that is lost is closed'));
  await Promise.race([closed, pause(FAREWELL_MS_MAX, undefined, { ref: false })]);
  const { stream } = connection.connection as unknown as { stream: Socket };
  stream.destroy();
}
