import type { Environment } from '@laurel/config';
import { BrokerBlocked, listParked, measureQueues } from '@laurel/events';
import { addressOf, broken, type Finding, fine, reasonOf, warning } from './finding';

const DEEP = 10_000;

/** RabbitMQ: whether it answers, and how its queues stand. `exchange` where several platforms share a broker. */
export async function examineRabbitmq(
  environment: Environment,
  exchange?: string,
): Promise<Finding[]> {
  const url = environment.RABBITMQ_URL;
  if (!url) return [];
  try {
    const depths = await measureQueues(url, exchange);
    const parked = new Map(
      depths.some((depth) => depth.parked > 0)
        ? (await listParked(url, exchange)).map(({ queue, oldest }) => [queue, oldest[0]])
        : [],
    );
    const problems = depths.flatMap(({ queue, waiting, consumers, parked: count }) => [
      ...(count > 0 ? [parkedFinding(queue, count, parked.get(queue)?.reason)] : []),
      ...(consumers === 0
        ? [
            (waiting > 0 ? broken : warning)(
              `queue ${queue}`,
              `nobody consumes it; ${waiting} events wait`,
              `start ${queue.split('.')[0]}; if no release has it any more: npm run events -- retire ${queue}`,
            ),
          ]
        : waiting > DEEP
          ? [
              warning(
                `queue ${queue}`,
                `${waiting} events wait`,
                'docs/runbooks/LaurelQueueGrows.md',
              ),
            ]
          : []),
    ]);
    return [fine('RabbitMQ', `answers; ${depths.length} queues`), ...problems];
  } catch (error) {
    return [brokerFinding(url, error)];
  }
}

/** Why the broker said nothing of its queues. */
export function brokerFinding(url: string, error: unknown): Finding {
  if (error instanceof BrokerBlocked)
    return broken(
      'RabbitMQ',
      error.message,
      'free its memory or disk, nothing else is to be done; docs/runbooks/LaurelOutboxLags.md',
    );
  const text = `${addressOf(url)} does not answer: ${reasonOf(error)}`;
  return broken('RabbitMQ', text, 'start it, or correct RABBITMQ_URL');
}

const parkedFinding = (queue: string, count: number, reason = 'unknown'): Finding =>
  warning(
    `queue ${queue}`,
    `${count} events are parked, the oldest because of ${reason}`,
    'npm run events -- parked; docs/runbooks/LaurelEventsParked.md',
  );
