import type { Logger } from '@laurel/lifecycle';
import type { Broker } from '../broker/broker';
import { NEWER_RETRY_MS, RETRY_DELAYS_MS } from './consumer';
import { lookAtQueue } from './look-at-queue';
import { retireAlone } from './retire-alone';
import { deleteFamily, parkedQueue, workQueues } from './topology';

/** A replica of an earlier release that starts again is back before the second look. */
const QUIET_LOOKS = 2;

interface Given {
  broker: Broker;
  /** Of a consumer that an earlier release had and this one has not. */
  queue: string;
  logger: Logger;
}

/**
 * Ends a queue that this release has given up: left alone it stays bound, and fills the disk of the broker with what no
 * service reads. An earlier release may run beside this one, and has it as long as one of its replicas consumes it; what
 * waits in it afterwards, is parked or tried again goes with it.
 */
export class RetiredQueue {
  private quietLooks = 0;
  private done = false;

  constructor(private readonly given: Given) {}

  /** One look, to be repeated. Rejects when the broker lets it down; what is left then is found by the next one. */
  async look(): Promise<void> {
    if (this.done) return;
    await retireAlone(this.given.broker, this.given.queue, () => this.advance());
  }

  private async advance(): Promise<void> {
    const { broker, queue, logger } = this.given;
    const parked = await lookAtQueue(broker, parkedQueue(queue));
    this.done = parked === null;
    if (!parked) return;
    const names = [false, true].flatMap((ordered) => workQueues({ queue, ordered }));
    const found = await Promise.all(names.map((name) => lookAtQueue(broker, name)));
    const work = found.flatMap((one) => one ?? []);
    const isQuiet = work.every(({ consumerCount }) => consumerCount === 0);
    this.quietLooks = isQuiet ? this.quietLooks + 1 : 0;
    if (this.quietLooks < QUIET_LOOKS) return;
    const delaysMs = [...RETRY_DELAYS_MS, NEWER_RETRY_MS];
    await broker.onChannel((channel) => deleteFamily(channel, queue, delaysMs));
    this.done = true;
    const waiting = work.reduce((sum, { messageCount }) => sum + messageCount, 0);
    logger[waiting + parked.messageCount > 0 ? 'warn' : 'info'](
      { queue, waiting, parked: parked.messageCount },
      'a queue that no release uses any more was deleted, with what was in it',
    );
  }
}
