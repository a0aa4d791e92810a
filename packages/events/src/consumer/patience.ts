import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@laurel/errors';
import { mayFail } from '@laurel/lifecycle';
import { storeFault } from '@laurel/mongo';

const PAUSE_MS_FIRST = 250;
const PAUSE_MS_MAX = 5_000;
/** How long an outage is waited for with the delivery in hand; far below the half hour after which the broker takes it away. */
const WAIT_MS_MAX = 60_000;
const SERVICE_UNAVAILABLE = 'SERVICE_UNAVAILABLE';

/** Runs work again while what it needs is away. Rejects as the work does with anything else. */
export type Patience = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * An outage says nothing about the event that met it: its delivery stays in hand until the store, or the
 * service that was asked, is back, and costs none of its attempts. Otherwise a few short outages in a row would send
 * it to wait for minutes after everything is well again. `ending` cuts the waiting short.
 */
export function createPatience(ending: AbortSignal, waitMsMax: number = WAIT_MS_MAX): Patience {
  return async (work) => {
    const since = performance.now();
    for (let pauseMs = PAUSE_MS_FIRST; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      try {
        return await work();
      } catch (error) {
        const isOver = ending.aborted || performance.now() - since + pauseMs > waitMsMax;
        if (isOver || !isOutage(error)) throw error;
      }
      await pause(pauseMs, undefined, { signal: ending }).catch(
        mayFail('an end cuts the pause short'),
      );
    }
  };
}

/** Whether the store, or a service that was asked, is away: which says nothing about what was to be done. */
export function isOutage(error: unknown): boolean {
  return (
    storeFault(error) !== null || (error instanceof Refusal && error.code === SERVICE_UNAVAILABLE)
  );
}
