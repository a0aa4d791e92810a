import { setTimeout as pause } from 'node:timers/promises';
import { storeFault } from './errors';

/** About as long as a set takes to find another primary, several times over. */
const AWAY_MS_MAX = 60_000;
const PAUSE_MS = 250;

/**
 * Does what a service needs of the store before it can start, again while the store is away, e.g. has no primary: a process that
 * ended at that would be started again ever later. Rejects with any other failure, and with the last one once `awayMsMax` have
 * passed since the first.
 *
 * @param work may be done any number of times
 * @param onAway is called with the first failure, when the waiting begins
 */
export async function onceStoreIsBack<T>(
  work: () => Promise<T>,
  { onAway, awayMsMax = AWAY_MS_MAX }: { onAway: (error: unknown) => void; awayMsMax?: number },
): Promise<T> {
  // Not from the start: an index may be built for longer than that before its store steps down.
  let endsAt: number | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (storeFault(error) !== 'away') throw error;
      if (endsAt === undefined) {
        endsAt = performance.now() + awayMsMax;
        onAway(error);
      }
      if (performance.now() >= endsAt) throw error;
      await pause(PAUSE_MS);
    }
  }
}
