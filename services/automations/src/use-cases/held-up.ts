import type { Deps } from '../deps';
import { AWAY_MS } from '../domain/retry';
import type { HeldTrigger } from '../store/trigger-backlog';

/** How soon an event comes again at the earliest that stands behind another one. */
const LOOK_MS = 1_000;

/** An event that waits for a service, and those of its client behind it, in their order. */
interface Queue {
  ids: Set<string>;
  /** When the last of them is due. */
  until: number;
}

/** By whose events one stands behind the other. */
export const laneOf = ({ workspaceId, event }: HeldTrigger): string =>
  `${workspaceId} ${event.subject}`;

/**
 * Keeps the order of a client of whom an event waits for a service: a moment later the service may be back, and what came
 * after would pass it. Which of them stand before it is kept in memory, and whether they do still is asked of the store: one
 * may have gone with its client, or been worked off where its slot was meanwhile. Called for one event of a client at a time.
 */
export function createHeldUp({ clock, triggerBacklog }: Pick<Deps, 'clock' | 'triggerBacklog'>) {
  const queues = new Map<string, Queue>();

  return {
    /** When to come again behind one that waits; null where it may be begun with. */
    async behind(held: HeldTrigger): Promise<Date | null> {
      const lane = laneOf(held);
      const queue = queues.get(lane);
      if (!queue) return null;
      // Before the store is asked, which may be away: those that come after it would get its place.
      queue.ids.add(held.id);
      for (const first of queue.ids) {
        if (first === held.id) return null;
        if (await triggerBacklog.isWaiting(held.workspaceId, first)) {
          queue.until = Math.max(queue.until + 1, clock.now().getTime() + LOOK_MS);
          return new Date(queue.until);
        }
        queue.ids.delete(first);
      }
      return null;
    },

    /** When to come again where a service is away. */
    wait(held: HeldTrigger): Date {
      const lane = laneOf(held);
      const at = clock.now().getTime() + AWAY_MS;
      const queue = queues.get(lane) ?? { ids: new Set(), until: at };
      queues.set(lane, queue);
      queue.ids.add(held.id);
      queue.until = Math.max(queue.until, at);
      return new Date(at);
    },

    /** It stands before no other one any more. */
    over(held: HeldTrigger): void {
      const lane = laneOf(held);
      const queue = queues.get(lane);
      queue?.ids.delete(held.id);
      if (queue?.ids.size === 0) queues.delete(lane);
    },
  };
}
