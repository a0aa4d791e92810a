import type { Unmet } from './fire-rules';

/** Far more events than come again at once; of more than these the oldest are decided on anew. */
const EVENTS_MAX = 10_000;

/** What is known of events that come again, in this process: of those in the backlog their rows say it as well. */
export function createUnmetRules() {
  const known = new Map<string, Unmet>();

  /** What earlier turns of an event found. */
  const of = (eventId: string): Unmet => new Set(known.get(eventId));

  /** The event will come again. */
  function keep(eventId: string, unmet: Unmet): void {
    known.delete(eventId);
    if (unmet.size > 0) known.set(eventId, unmet);
    const [oldest] = known.keys();
    if (known.size > EVENTS_MAX && oldest !== undefined) known.delete(oldest);
  }

  return {
    of,

    /** One more turn of an event, which adds to what earlier ones found. Where it fails, the next one knows all of it. */
    async during(eventId: string, turn: (unmet: Unmet) => Promise<void>): Promise<void> {
      const unmet = of(eventId);
      try {
        await turn(unmet);
      } catch (error) {
        keep(eventId, unmet);
        throw error;
      }
      known.delete(eventId);
    },
  };
}
