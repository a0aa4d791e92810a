import { setTimeout as pause } from 'node:timers/promises';
import { storeFault } from './errors';

/** About as long as a set takes to find another primary, several times over. */
const AWAY_MS_MAX = 60_000;
const PAUSE_MS = 250;

/**
 * Does what a service needs of the store before it can start, again while the store is away, e.g. has no primary: a process that
 * ended at that would be started again ever later. Rejects with any other failure, and with the last one after `awayMsMax`.
 *
 * @param work may be done any number of times
 */
export async function onceStoreIsBack<T>(
  work: () => Promise<T>,
  awayMsMax: number = AWAY_MS_MAX,
): Promise<T> {
  const endsAt = performance.now() + awayMsMax;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (storeFault(error) !== 'away' || performance.now() >= endsAt) throw error;
      await pause(PAUSE_MS);
    }
  }
}
