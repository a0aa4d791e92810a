import { mayFail } from '@laurel/lifecycle';
import type { ConfirmChannel } from 'amqplib';

/**
 * Closes a channel. Resolves when it is closed, by either side; never rejects. The library's own `close()` waits for the
 * broker's answer alone: where the connection goes before that comes, it never settles, and nor does who waits for it.
 */
export async function closeChannel(channel: ConfirmChannel): Promise<void> {
  const gone = new Promise<void>((resolve) => channel.once('close', resolve));
  const closed = channel.close().catch(mayFail('a channel that is lost is closed'));
  await Promise.race([gone, closed]);
}
