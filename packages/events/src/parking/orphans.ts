import type { Broker } from '../broker/broker';
import { messaging } from '../metrics';
import { type ForgottenParked, forgetParked } from './discard';
import { measureQueues, type QueueDepth } from './measure';
import { knownQueues } from './parking';
import { withConnection } from './with-connection';

/** Each reads the names of all queues that there ever were, and leaves a mark among them. */
const FIND_EVERY_MS = 3_600_000;

interface Watched {
  broker: Pick<Broker, 'exchange' | 'isConnected'>;
  /** The same broker, with its account. */
  url: string;
  /** How often it looks for others than those that it knows. */
  findEveryMs?: number;
}

/**
 * Measures the queues that have no consumer: as a rule a consumer measures its own, so that those of a release that is gone,
 * or of a service that does not run, would grow unseen.
 */
export class Orphans {
  private known = new Set<string>();
  private foundAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly watched: Watched) {}

  /** One look, to be repeated. Rejects when the broker goes away meanwhile; while it is away nothing is looked at. */
  async look(): Promise<undefined> {
    if (!this.watched.broker.isConnected()) return;
    const measured = await this.measure();
    const orphaned = measured.filter(({ consumers }) => consumers === 0);
    const before = this.known;
    this.known = new Set(orphaned.map(({ queue }) => queue));
    for (const { queue, waiting, parked } of orphaned) {
      messaging.depth.set({ queue, kind: 'work' }, waiting);
      messaging.depth.set({ queue, kind: 'parked' }, parked);
    }
    // One that is consumed again is measured by who does, within half a minute.
    for (const queue of before)
      if (!this.known.has(queue))
        for (const kind of ['work', 'parked']) messaging.depth.remove({ queue, kind });
  }

  /** Throws away what has been parked for 30 days of those without a consumer, which else forgets its own. Rejects as `look` does. */
  async forget(now = new Date()): Promise<ForgottenParked[]> {
    const { broker, url } = this.watched;
    if (!broker.isConnected()) return [];
    const consumed = new Set(
      (await measureQueues(url, broker.exchange)).flatMap(({ queue, consumers }) =>
        consumers > 0 ? queue : [],
      ),
    );
    // Also of those whose work queue was deleted by hand, which measure as nothing.
    const all = await withConnection(url, (connection) => knownQueues(connection, broker.exchange));
    const queues = all.filter((queue) => !consumed.has(queue));
    return forgetParked(url, queues, now);
  }

  private async measure(): Promise<QueueDepth[]> {
    const { broker, url, findEveryMs = FIND_EVERY_MS } = this.watched;
    const now = performance.now();
    if (now - this.foundAt < findEveryMs)
      return this.known.size === 0 ? [] : measureQueues(url, broker.exchange, [...this.known]);
    const all = await measureQueues(url, broker.exchange);
    this.foundAt = now;
    return all;
  }
}
