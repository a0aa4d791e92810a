import { type Broker, RetiredQueue } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { Job } from '@laurel/work';

const LOOK_EVERY_MS = 30_000;

/** Deletes queues of consumers that a service had in an earlier release, once none of its replicas consumes them. */
export function retireQueues(
  queues: readonly string[] | undefined,
  { broker, logger }: { broker: Broker; logger: Logger },
): Job[] {
  if (!queues) return [];
  const retired = queues.map((queue) => new RetiredQueue({ broker, queue, logger }));
  const work = async () => {
    // A broker that is away is no fault of this job, and the queues wait.
    if (broker.isConnected()) for (const one of retired) await one.look();
    return undefined;
  };
  return [{ name: 'delete-retired-queues', every: LOOK_EVERY_MS, work }];
}
