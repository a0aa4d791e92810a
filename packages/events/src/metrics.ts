import { Counter, Gauge, Histogram, metrics } from '@laurel/lifecycle';

const registers = [metrics.registry];

/** Metrics of messaging, made once per process however many services share it. No label names a tenant. */
export const messaging = {
  outboxPending: new Gauge({
    name: 'outbox_pending',
    help: 'Events committed and not yet confirmed by the broker.',
    labelNames: ['relay'],
    registers,
  }),
  outboxLag: new Gauge({
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest event that the broker has not confirmed.',
    labelNames: ['relay'],
    registers,
  }),
  outboxPublished: new Counter({
    name: 'outbox_published_total',
    help: 'Events the broker confirmed and the outbox marked.',
    labelNames: ['relay'],
    registers,
  }),
  outboxHeld: new Counter({
    name: 'outbox_held_total',
    help: 'Publishes that stay in the outbox, by reason: failed, or unroutable (a binding that must exist is missing).',
    labelNames: ['relay', 'reason'],
    registers,
  }),
  slotsHeld: new Gauge({
    name: 'slots_held',
    help: 'Slots of a service that this process holds, of the sixteen that its replicas share: it relays and handles in order what is in them.',
    labelNames: ['service'],
    registers,
  }),
  handled: new Counter({
    name: 'consumer_handled_total',
    help: 'Events handled and acknowledged, by event type of the catalogue.',
    labelNames: ['queue', 'type'],
    registers,
  }),
  failed: new Counter({
    name: 'consumer_failed_total',
    help: 'Attempts at handling an event that failed and will be repeated.',
    labelNames: ['queue'],
    registers,
  }),
  newer: new Counter({
    name: 'consumer_newer_total',
    help: 'Times that an event of an unknown type or version was put back to wait for a newer release of its consumer.',
    labelNames: ['queue', 'reason'],
    registers,
  }),
  parked: new Counter({
    name: 'consumer_parked_total',
    help: 'Events parked, by reason.',
    labelNames: ['queue', 'reason'],
    registers,
  }),
  discarded: new Counter({
    name: 'consumer_discarded_total',
    help: 'Parked events that were thrown away after 30 days.',
    labelNames: ['queue'],
    registers,
  }),
  duration: new Histogram({
    name: 'messaging_process_duration_seconds',
    help: 'Time to handle one delivery or batch.',
    labelNames: ['queue'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  }),
  depth: new Gauge({
    name: 'queue_depth',
    help: 'Messages ready in a queue: work or parked.',
    labelNames: ['queue', 'kind'],
    registers,
  }),
} as const;
