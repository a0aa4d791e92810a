import type { Unmet } from './fire-rules';

/** Far more events than come again at once; of more than these the oldest are decided on anew. */
const EVENTS_MAX = 10_000;

/** What is known of events that come again, in this process: of those in the backlog their rows say it as well. */
export function createUnmetRules() {
  const known = new Map<string, Unmet>();

  return {
    /** What earlier turns of an event found. */
    of: (eventId: string): Unmet => new Set(known.get(eventId)),

    /** The event will come again. */
    keep(eventId: string, unmet: Unmet): void {
      known.delete(eventId);
      if (unmet.size > 0) known.set(eventId, unmet);
      const [oldest] = known.keys();
      if (known.size > EVENTS_MAX && oldest !== undefined) known.delete(oldest);
    },

    forget: (eventId: string): boolean => known.delete(eventId),
  };
}
