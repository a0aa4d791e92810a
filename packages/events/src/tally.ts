import type { CloudEvent } from './envelope';

/**
 * Keeps account of the events of sandboxes, by which an advance of a clock knows that all of them are handled
 * (docs/adr/0029). Of live workspaces it takes no note.
 */
export interface Tally {
  /** Called before events are published. */
  sent(events: readonly CloudEvent[]): Promise<void>;
  /** Called when a queue has handled events, before they are acknowledged. */
  handled(queue: string, events: readonly CloudEvent[]): Promise<void>;
}
