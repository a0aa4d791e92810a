import type { ChannelModel } from 'amqplib';
import { closeChannel } from '../broker/farewell';
import { parkedQueue } from '../consumer/topology';
import { messaging } from '../metrics';
import { ask, describeParked, openChannel, type ParkedMessage } from './parking';
import { withConnection } from './with-connection';

const DAY_MS = 86_400_000;
/** Long after the week in which it may be put back. */
const KEPT_MS = 30 * DAY_MS;
/** What is passed over is held until the end, and neither counted nor put back meanwhile. */
const PASSED_MAX = 1_000;

/** Which parked messages are meant. */
interface Meant {
  /** Why they were parked, as `ParkedMessage` has it. */
  reason: string;
  /** How many at most, the oldest first; all that there are now unless given. */
  limit?: number | undefined;
}

/**
 * Throws parked messages of a work queue away: what is parked for one reason, and no other. Calls `tell` with each, and
 * returns how many. Rejects when the queue does not exist.
 */
export function discard(
  url: string,
  queue: string,
  { reason, limit, tell }: Meant & { tell: (message: ParkedMessage) => void },
): Promise<number> {
  return withConnection(url, (connection) =>
    throwAway(connection, queue, {
      isMeant: (parked) => parked.reason === reason,
      limit,
      tell,
    }),
  );
}

/** What was thrown away of one queue. */
export interface ForgottenParked {
  queue: string;
  count: number;
  /** Event types, as far as they can be read. */
  types: string[];
}

/**
 * Throws away what has been parked for 30 days: it tells of people who may have been erased since, and whom no erasure
 * finds there (docs/adr/0043). Of what does not say since when it is parked nothing is known, and it stays. What is parked stands
 * nearly in the order in which it was (what was looked at may come back in another), so that no more than a thousand are passed over.
 *
 * @param queues work queues; those of which none was made yet are passed over
 */
export function forgetParked(
  url: string,
  queues: readonly string[],
  now = new Date(),
): Promise<ForgottenParked[]> {
  const before = new Date(now.getTime() - KEPT_MS).toISOString();
  const isMeant = ({ parkedAt }: ParkedMessage) => parkedAt !== null && parkedAt < before;
  return withConnection(url, async (connection) => {
    const forgotten: ForgottenParked[] = [];
    for (const queue of queues) {
      const parked = await ask(connection, (channel) => channel.checkQueue(parkedQueue(queue)));
      if (!parked?.messageCount) continue;
      const types = new Set<string>();
      const tell = ({ type }: ParkedMessage) => void (type !== null && types.add(type));
      const count = await throwAway(connection, queue, {
        isMeant,
        passedMax: PASSED_MAX,
        tell,
      });
      if (count === 0) continue;
      messaging.discarded.inc({ queue }, count);
      forgotten.push({ queue, count, types: [...types].sort() });
    }
    return forgotten;
  });
}

/** What is not meant is held until the end, and returns with the channel. */
async function throwAway(
  connection: ChannelModel,
  queue: string,
  {
    isMeant,
    limit = Number.POSITIVE_INFINITY,
    passedMax = Number.POSITIVE_INFINITY,
    tell,
  }: {
    isMeant: (message: ParkedMessage) => boolean;
    limit?: number | undefined;
    passedMax?: number;
    tell: (message: ParkedMessage) => void;
  },
): Promise<number> {
  const channel = await openChannel(connection);
  const { messageCount } = await channel.checkQueue(parkedQueue(queue));
  let count = 0;
  for (let seen = 0; seen < messageCount && count < limit && seen - count < passedMax; seen += 1) {
    const message = await channel.get(parkedQueue(queue));
    if (!message) break;
    const parked = describeParked(message);
    if (!isMeant(parked)) continue;
    channel.ack(message);
    tell(parked);
    count += 1;
  }
  await closeChannel(channel);
  return count;
}
