import type { ConfirmChannel, RecoveringChannelModel } from 'amqplib';
import { closeChannel } from './farewell';

const RESOURCE_LOCKED = 405;

/** What one connection has and no other; it goes with the connection. */
export interface Lock {
  /** Resolves when it is no longer had, by either side. */
  lost: Promise<void>;
  release(): Promise<unknown>;
}

/**
 * Takes the lock `name`: a queue that is exclusive to this connection, and that its only reader's channel takes with it.
 * Nothing is ever sent there: what the reader gets is the broker's word that the queue is gone. Null while another connection has it. Rejects when the broker is away.
 */
export async function takeLock(
  connection: RecoveringChannelModel,
  name: string,
): Promise<Lock | null> {
  const channel: ConfirmChannel = await connection.createConfirmChannel();
  const lost = new Promise<void>((resolve) => channel.once('close', resolve));
  // Without a listener an error would end the process; what was asked rejects as well.
  channel.on('error', () => undefined);
  try {
    await channel.assertQueue(name, { exclusive: true, autoDelete: true, durable: false });
    await channel.consume(name, () => void closeChannel(channel), { noAck: true });
  } catch (error) {
    await closeChannel(channel);
    if ((error as { code?: number }).code === RESOURCE_LOCKED) return null;
    throw error;
  }
  return { lost, release: () => closeChannel(channel) };
}
