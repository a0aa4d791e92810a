import { mayFail, within } from '@laurel/lifecycle';
import type { ConfirmChannel, RecoveringChannelModel } from 'amqplib';

/** A broker with an alarm does not read that somebody leaves; one that went in mid-word never answers it. */
const FAREWELL_MS_MAX = 2_000;

/**
 * Closes a channel. Resolves to true when it is closed, by either side, to false when that stays unanswered; never rejects. The library's own
 * `close()` waits for the broker's answer alone: where the connection goes before that comes, it never settles, and nor does
 * who waits for it.
 */
export async function closeChannel(channel: ConfirmChannel): Promise<boolean> {
  const gone = new Promise<void>((resolve) => channel.once('close', resolve));
  const closed = channel.close().catch(mayFail('a channel that is lost is closed'));
  return isAnswered(Promise.race([gone, closed]));
}

/** The same for a connection. */
export function closeConnection(connection: RecoveringChannelModel): Promise<boolean> {
  return isAnswered(connection.close());
}

const isAnswered = (farewell: Promise<void>): Promise<boolean> =>
  within(
    FAREWELL_MS_MAX,
    farewell.then(() => true),
    () => false,
  );
