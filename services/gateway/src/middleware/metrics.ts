import { Counter, Gauge, metrics } from '@laurel/lifecycle';

export const auditBacklog = new Gauge({
  name: 'gateway_audit_backlog',
  help: 'Audit records that are kept and that identity has not taken yet.',
  registers: [metrics.registry],
});

export const idempotencyKeys = new Counter({
  name: 'gateway_idempotency_keys_total',
  help: 'Uses of an Idempotency-Key, by what was known of it: first, running, done (a repeat), or not_kept (Redis is away).',
  labelNames: ['outcome'],
  registers: [metrics.registry],
});

export const idempotencyBytes = new Counter({
  name: 'gateway_idempotency_bytes_total',
  help: 'Bytes of answers that were put into Redis for 24 hours, so that a repeat gets them: what a day adds up to stands there.',
  registers: [metrics.registry],
});

/** How full Redis is, by the word of each node. */
export const redisMemory = {
  ratio: new Gauge({
    name: 'gateway_redis_memory_ratio',
    help: 'Share in use of what a node of Redis may use: its maxmemory, or all of its machine where it has none.',
    labelNames: ['node'],
    registers: [metrics.registry],
  }),
  evictedKeys: new Gauge({
    name: 'gateway_redis_evicted_keys',
    help: 'Keys that a node of Redis let go before their time since it started, because it was at its limit.',
    labelNames: ['node'],
    registers: [metrics.registry],
  }),
};

export const liveAnswers = new Gauge({
  name: 'gateway_live_answers',
  help: 'Answers that go on for as long as somebody reads them.',
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
