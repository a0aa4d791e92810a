import { Counter, Gauge, metrics } from '@laurel/lifecycle';

export const auditBacklog = new Gauge({
  name: 'gateway_audit_backlog',
  help: 'Audit records that are kept and that identity has not taken yet.',
  registers: [metrics.registry],
});

/** What waits for its turn, what runs, and what was sent away. */
export const admission = {
  running: new Gauge({
    name: 'gateway_requests_running',
    help: 'Requests that are being worked on.',
    registers: [metrics.registry],
  }),
  waiting: new Gauge({
    name: 'gateway_requests_waiting',
    help: 'Requests that wait for their turn.',
    registers: [metrics.registry],
  }),
  refused: new Counter({
    name: 'gateway_requests_refused_total',
    help: 'Requests that were refused for want of room.',
    labelNames: ['reason'],
    registers: [metrics.registry],
  }),
};
