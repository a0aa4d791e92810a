import { Counter, Gauge, Histogram, metrics } from '@laurel/lifecycle';

const registers = [metrics.registry];

/** How sending goes; never by tenant or address. */
export const sending = {
  attempts: new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook by outcome.',
    labelNames: ['outcome'],
    registers,
  }),
  duration: new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'How long receivers took to answer.',
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  }),
  delay: new Histogram({
    name: 'webhook_delay_seconds',
    help: 'From an event to its being sent for the first time, to endpoints that are not in trouble.',
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
    registers,
  }),
  inFlight: new Gauge({
    name: 'webhook_attempts_in_flight',
    help: 'Requests to receivers in flight.',
    registers,
  }),
  disabled: new Counter({
    name: 'webhook_endpoints_disabled_total',
    help: 'Endpoints given up because they were gone or kept failing.',
    labelNames: ['reason'],
    registers,
  }),
};
