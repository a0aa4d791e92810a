import { every, type Logger, later } from '@laurel/lifecycle';
import type { FeedRow, FeedStore } from '../../store/feeds';

/** How soon is known what another process has added. */
const LOOK_MS = 500;

interface Waiter {
  sequence: number;
  wake: () => void;
}

/** Wakes those who wait for something to happen in a workspace. */
export interface Bell {
  /** Resolves once the feed has gone beyond a number, the time is up, or the process stops. */
  wait(workspaceId: string, sequence: number, ms: number): Promise<void>;
  /** Tells that the feed has come to a number. */
  ring(workspaceId: string, sequence: number): void;
  stop(): void;
}

/** What this process adds wakes at once; what others add is found by one look for all feeds that somebody waits on. */
export function createBell(feeds: Pick<FeedStore, 'among'>, logger: Pick<Logger, 'error'>): Bell {
  const waiting = new Map<string, Set<Waiter>>();
  let isStopped = false;
  let isLooking = false;

  function ring(workspaceId: string, sequence: number): void {
    for (const waiter of waiting.get(workspaceId) ?? [])
      if (waiter.sequence < sequence) waiter.wake();
  }

  async function look(): Promise<void> {
    if (isLooking || waiting.size === 0) return;
    isLooking = true;
    try {
      const rows: FeedRow[] = await feeds.among([...waiting.keys()], new Date());
      for (const { _id, sequence } of rows) ring(_id, sequence);
    } catch (error) {
      logger.error({ err: error }, 'feeds could not be looked at');
    } finally {
      isLooking = false;
    }
  }

  const looking = every('integrations.feeds', LOOK_MS, () => void look());

  return {
    ring,

    wait(workspaceId, sequence, ms) {
      if (isStopped) return Promise.resolve();
      return new Promise((resolve) => {
        const own = waiting.get(workspaceId) ?? new Set();
        waiting.set(workspaceId, own);
        const wake = (): void => {
          timer.cancel();
          own.delete(waiter);
          if (own.size === 0 && waiting.get(workspaceId) === own) waiting.delete(workspaceId);
          resolve();
        };
        const waiter = { sequence, wake };
        const timer = later('integrations.feeds', ms, wake);
        own.add(waiter);
      });
    },

    stop() {
      isStopped = true;
      looking.cancel();
      for (const own of [...waiting.values()]) for (const { wake } of [...own]) wake();
    },
  };
}
