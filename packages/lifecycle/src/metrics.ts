import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const registry = new Registry();
collectDefaultMetrics({ register: registry });

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Prometheus metrics of this process. Several services may share a process, so metrics that each of
 * them reports carry a `service` label and are made once, here. No label ever holds a tenant or user.
 */
export const metrics = {
  registry,
  httpDuration: new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  }),
  rpcServerDuration: new Histogram({
    name: 'rpc_server_duration_seconds',
    help: 'Duration of gRPC calls answered.',
    labelNames: ['service', 'method', 'code'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  }),
  rpcClientDuration: new Histogram({
    name: 'rpc_client_duration_seconds',
    help: 'Duration of gRPC calls made, as their caller saw them.',
    labelNames: ['service', 'method', 'code'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  }),
  breakerOpen: new Gauge({
    name: 'rpc_client_breaker_open',
    help: '1 while calls to a service are refused because it could not be reached.',
    labelNames: ['service', 'purpose'],
    registers: [registry],
  }),
  dependencyUp: new Gauge({
    name: 'dependency_up',
    help: '1 when what a service depends on answered the last time that somebody asked.',
    labelNames: ['service', 'dependency'],
    registers: [registry],
  }),
} as const;

export { Counter, Gauge, Histogram };
