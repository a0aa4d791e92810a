import { type ConsumerSpec, onErasures, onMerges, onRemovals } from '@laurel/backend';
import { batchOf, EVERY_EVENT } from '@laurel/events';
import type { Deps } from './deps';
import type { Departing } from './use-cases/catch-up';
import { fanOutEvents } from './use-cases/delivery/fan-out-events';
import { appendToFeeds } from './use-cases/feed/append-to-feeds';
import { enqueueOutbound, OUTBOUND_EVENTS } from './use-cases/outbound/enqueue-outbound';

const FAN_OUT_PREFETCH = 500;
const OUTBOUND_PREFETCH = 100;

/** What integrations does when something happened elsewhere. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'integrations.webhook-fanout',
    // Receivers see the order in which deliveries are made.
    ordered: true,
    prefetch: FAN_OUT_PREFETCH,
    batch: batchOf([EVERY_EVENT], async (events, once) => {
      await fanOutEvents(deps, events, once);
      await appendToFeeds(deps, events);
    }),
  },
  {
    queue: 'integrations.outbound',
    prefetch: OUTBOUND_PREFETCH,
    batch: batchOf(OUTBOUND_EVENTS, (events) => enqueueOutbound(deps, events)),
  },
  followDepartures(deps),
];

/** Follows clients and workspaces that go; there may be very much of one client here. */
export function followDepartures(deps: Departing): ConsumerSpec {
  const following = { ...deps, inParts: true };
  return {
    queue: 'integrations.erasure',
    handlers: { ...onMerges(deps, following), ...onErasures(deps, following), ...onRemovals(deps) },
  };
}
