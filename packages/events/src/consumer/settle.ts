import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, within } from '@laurel/lifecycle';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Broker } from '../broker/broker';
import { messaging } from '../metrics';
import { Acknowledgements } from './acknowledgements';
import {
  attemptsOf,
  forwarded,
  HEADERS,
  returnsOf,
  timesSetAside,
  waitingSinceOf,
} from './headers';
import { isOutage } from './patience';
import { declareParking, declareRetry, type Family, parkedQueue, retryQueue } from './topology';
import { describe, judge } from './verdict';

export interface RetryPolicy {
  /** Attempts in all, the first included; after the last one the message is parked. */
  maxAttempts: number;
  /** Wait after the first, second ... failed attempt; the last one repeats. */
  retryDelaysMs: readonly number[];
  /** How often what only a newer release knows is looked at again. */
  newerRetryMs: number;
  /** How long the broker has to take what is put aside; an alarm of it does not count. */
  putAsideMs?: number;
}

interface Surroundings {
  logger: Logger;
  /** Takes the copies: by the connection of the deliveries, an alarm would hold up their acknowledgements, too. */
  broker: Pick<Broker, 'copy' | 'isBlocked'>;
  /** Ends the wait for the end of an alarm. */
  ending?: AbortSignal;
}

/** An upgrade or an outage that takes longer was given up: somebody must look. */
const AWAITED_MS = 86_400_000;

/**
 * A queue that has lost its leader in a crash of the broker says no after a minute, or never; what waits behind the event
 * does not wait for that. A copy that arrives after all is one repetition more.
 */
const PUT_ASIDE_MS = 10_000;
/** How long a delivery stays in hand during an alarm: below the half hour after which the broker takes it away. */
const ALARM_MS_MAX = 20 * 60_000;
/** What comes back at once is not tried as often as the machine can. */
const GIVE_BACK_MS = 500;

/** A delivery that came back as often without an answer waits apart from those that it came back with. */
const RETURNS_MAX = 12;
/** After as many rounds the limit of the queue decides (`DELIVERY_LIMIT` in topology.ts). */
const ROUNDS_APART_MAX = 3;
/** Longer than what follows from one crash, and short enough for what is innocent. */
const APART_MS_MAX = 120_000;

/** One message as it was delivered, with the channel that alone can answer for it. */
export interface Delivery {
  channel: ConfirmChannel;
  message: ConsumeMessage;
}

export interface Settler {
  /** Acknowledges a delivery, together with what else is done in this turn. */
  done(delivery: Delivery): void;
  /** Sends the acknowledgements of a channel that is about to close. */
  flush(channel: ConfirmChannel): void;
  /** Sends a failed delivery to a retry queue or to parking; the original is acknowledged after that is safe. */
  failed(delivery: Delivery, error: unknown): Promise<void>;
  /**
   * Whether a delivery came back so often that it is not handled now. Such a one goes to a retry queue, at the price of no
   * attempt: one of those that came back together may have ended their consumer each time, and the others come to no harm apart from it.
   */
  setApart(delivery: Delivery): Promise<boolean>;
  /** Delays whose retry queues this process has used. */
  usedDelays(): readonly number[];
}

/** Answers deliveries of one family of queues. Whatever cannot be answered is delivered again by the broker. */
export function createSettler(
  family: Family,
  policy: RetryPolicy,
  surroundings: Surroundings,
): Settler {
  const { queue } = family;
  const { logger } = surroundings;
  const used = new Set<number>();
  const put = createPutting(family, policy, { ...surroundings, used });
  const untilTaken = createWait(surroundings, policy.putAsideMs);
  const byChannel = new WeakMap<ConfirmChannel, Acknowledgements>();

  function acknowledgementsOf(channel: ConfirmChannel): Acknowledgements {
    const known = byChannel.get(channel);
    if (known) return known;
    // The channel is gone: the broker delivers again, and the inbox keeps the effect single.
    const made = new Acknowledgements(channel, (error) =>
      logger.debug({ err: error, queue }, 'deliveries could not be acknowledged'),
    );
    byChannel.set(channel, made);
    return made;
  }
  const acknowledge = ({ channel, message }: Delivery) => acknowledgementsOf(channel).add(message);

  function putAside(delivery: Delivery, attempts: number, error: unknown): Promise<void> {
    const verdict = judge(error);
    if (!verdict.retry) return put.park(delivery, { attempts, reason: verdict.reason, error });
    if (verdict.newer) return put.awaitNewer(delivery, verdict.newer, error);
    if (attempts < policy.maxAttempts) return put.retry(delivery, attempts, error);
    // What is away says nothing about the event, however often it was asked.
    if (isOutage(error) && mayWait(delivery)) return put.retry(delivery, attempts, error);
    return put.park(delivery, { attempts, reason: 'attempts_exhausted', error });
  }

  return {
    done: acknowledge,
    flush: (channel) => acknowledgementsOf(channel).flush(),
    usedDelays: () => [...used],
    async failed(delivery, error) {
      const attempts = attemptsOf(delivery.message) + 1;
      try {
        await untilTaken(putAside(delivery, attempts, error));
        acknowledge(delivery);
      } catch (settling) {
        logger.warn(
          { err: settling, queue, failed_with: describe(error) },
          'a failed event could not be put aside; the broker delivers it again',
        );
        await pause(GIVE_BACK_MS);
        acknowledgementsOf(delivery.channel).skip(delivery.message);
        giveBack(delivery);
      }
    },
    async setApart(delivery) {
      const { message } = delivery;
      if (returnsOf(message) < RETURNS_MAX || timesSetAside(message) >= ROUNDS_APART_MAX)
        return false;
      try {
        await untilTaken(put.apart(delivery));
      } catch (error) {
        // To give it back would be counted, too: a broker that is slow to take copies would park what nothing is wrong with.
        logger.warn(
          { err: error, queue },
          'an event that came back too often could not be set apart',
        );
        return false;
      }
      acknowledge(delivery);
      return true;
    },
  };
}

/**
 * Resolves when the broker has a copy, rejects when it has had its time. Who gives a delivery back because of an alarm has it again
 * at once, with one more of the returns that the queue allows and one more copy that is read when the alarm is over.
 */
function createWait({ broker, ending }: Surroundings, ms = PUT_ASIDE_MS) {
  return async (copy: Promise<void>): Promise<void> => {
    const since = performance.now();
    const taken = copy.then(() => true);
    const mayGoOn = () =>
      broker.isBlocked() && !ending?.aborted && performance.now() - since < ALARM_MS_MAX;
    while (!(await within(ms, taken, () => false)))
      if (!mayGoOn()) throw new Error(`the broker has not taken it within ${ms} ms`);
  };
}

/** Why a delivery is given up. */
interface Failure {
  /** How often it was tried, this time included. */
  attempts: number;
  reason: string;
  error: unknown;
}

/** The headers of a copy. */
type Marks = Record<string, string | number>;

/** Puts copies of failed deliveries where they belong; the original is the caller's to acknowledge. */
function createPutting(
  family: Family,
  policy: RetryPolicy,
  { logger, broker, used }: Surroundings & { used: Set<number> },
) {
  const { queue } = family;
  const forward = ({ message }: Delivery, target: string, headers: Marks) =>
    broker.copy(target, message.content, forwarded(message, headers));

  async function retry(delivery: Delivery, attempts: number, error: unknown): Promise<void> {
    const { retryDelaysMs } = policy;
    const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] ?? 0;
    await declareRetry(delivery.channel, family, delayMs);
    used.add(delayMs);
    await forward(delivery, retryQueue(family, delayMs), {
      [HEADERS.attempts]: attempts,
      ...(attempts < policy.maxAttempts ? {} : { [HEADERS.waitingSince]: sinceOf(delivery) }),
    });
    messaging.failed.inc({ queue });
    logger.warn(
      { err: error, queue, attempts, retry_in_ms: delayMs },
      'an event could not be handled; it will be tried again',
    );
  }

  /** By chance one of several delays, so that what came back together comes apart. */
  async function apart(delivery: Delivery): Promise<void> {
    const delays = policy.retryDelaysMs.filter((delayMs) => delayMs <= APART_MS_MAX);
    const delayMs = delays.length > 0 ? delays[randomInt(delays.length)]! : policy.newerRetryMs;
    const { message } = delivery;
    const since = waitingSinceOf(message);
    await declareRetry(delivery.channel, family, delayMs);
    used.add(delayMs);
    await forward(delivery, retryQueue(family, delayMs), {
      [HEADERS.attempts]: attemptsOf(message),
      [HEADERS.setAside]: timesSetAside(message) + 1,
      ...(since === null ? {} : { [HEADERS.waitingSince]: since }),
    });
    logger.warn(
      { queue, event_id: message.properties.messageId, retry_in_ms: delayMs },
      'an event came back too often without an answer; it will be tried again apart from others',
    );
  }

  /** Until a replica of the newer release takes it; the attempts that it has are kept. */
  async function awaitNewer(delivery: Delivery, reason: string, error: unknown): Promise<void> {
    const since = sinceOf(delivery);
    const attempts = attemptsOf(delivery.message);
    if (!mayWait(delivery)) return park(delivery, { attempts: attempts + 1, reason, error });
    const { newerRetryMs } = policy;
    await declareRetry(delivery.channel, family, newerRetryMs);
    used.add(newerRetryMs);
    const headers = { [HEADERS.attempts]: attempts, [HEADERS.waitingSince]: since };
    await forward(delivery, retryQueue(family, newerRetryMs), headers);
    messaging.newer.inc({ queue, reason });
    logger.warn({ err: error, queue, reason }, 'an event waits for a newer release');
  }

  async function park(delivery: Delivery, { attempts, reason, error }: Failure): Promise<void> {
    await declareParking(delivery.channel, queue);
    await forward(delivery, parkedQueue(queue), {
      [HEADERS.attempts]: attempts,
      [HEADERS.reason]: reason,
      [HEADERS.error]: describe(error),
      [HEADERS.parkedAt]: new Date().toISOString(),
    });
    messaging.parked.inc({ queue, reason });
    const { messageId } = delivery.message.properties;
    logger.error(
      { err: error, queue, reason, attempts, event_id: messageId },
      'an event was parked',
    );
  }

  return { retry, apart, awaitNewer, park };
}

/** Since when a delivery waits for a newer release, or for the end of an outage. */
const sinceOf = ({ message }: Delivery): number => waitingSinceOf(message) ?? Date.now();
const mayWait = (delivery: Delivery): boolean => Date.now() - sinceOf(delivery) <= AWAITED_MS;

function giveBack({ channel, message }: Delivery): void {
  try {
    channel.nack(message, false, true);
  } catch {
    // The channel is gone, which gives the message back as well.
  }
}
