export { uuidv7 as newId } from 'uuidv7';
export {
  type Actor,
  type Context,
  currentContext,
  hasContext,
  runInContext,
  systemContext,
} from './context';
export {
  Health,
  type HealthCheck,
  type HealthServer,
  type Readiness,
  startHealthServer,
} from './health';
export { type Job, startJobs } from './jobs';
export { Lifecycle, type Running, runAsProcess } from './lifecycle';
export { createLogger, type Logger } from './logger';
export { Counter, Gauge, Histogram, metrics } from './metrics';
export { stableId } from './stable-id';
export { inSpan, SpanKind, startTracing } from './tracing';
