import type { ConsumerSpec } from '@laurel/backend';
import { batchOf, EVERY_EVENT, each } from '@laurel/events';
import type { Deps } from './deps';
import { fanOutEvents } from './use-cases/delivery/fan-out-events';
import { appendToFeeds } from './use-cases/feed/append-to-feeds';
import { DEPARTURES, followDeparture } from './use-cases/follow-departure';
import { enqueueOutbound, OUTBOUND_EVENTS } from './use-cases/outbound/enqueue-outbound';

const FAN_OUT_PREFETCH = 500;
const OUTBOUND_PREFETCH = 100;

/** What integrations does when something happened elsewhere. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'integrations.webhook-fanout',
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
  {
    queue: 'integrations.erasure',
    handlers: each(DEPARTURES, (event) => followDeparture(deps, event)),
  },
];
