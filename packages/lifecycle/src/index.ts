export { beyondRequest, every, later, runInBackground, type Timer } from './background';
export {
  type Actor,
  answerBy,
  type Context,
  currentContext,
  hasContext,
  type IfMatch,
  keptOperation,
  ownOperation,
  runInContext,
  systemContext,
  takingBack,
} from './context';
export { groupBy } from './group-by';
export {
  type Dependencies,
  Health,
  type HealthCheck,
  type HealthServer,
  healthAnswer,
  type Readiness,
  startHealthServer,
} from './health';
export { inPages } from './in-pages';
export { createInTurn, type InTurn } from './in-turn';
export { Lifecycle, type Running, runAsProcess } from './lifecycle';
export { type Listener, listen } from './listen';
export { createLogger, type Logger } from './logger';
export { mapAtOnce } from './map-at-once';
export { mayFail } from './may-fail';
export { Counter, Gauge, Histogram, metrics } from './metrics';
export { Neighbours, neighboursPer, soonestOf, type Waiting } from './neighbours';
export { newId } from './new-id';
export { createSharedLookups } from './shared-lookups';
export { createSharedAnswers, createSharedReads } from './shared-reads';
export { stableId } from './stable-id';
export { standstills } from './standstill';
export { inSpan, SpanKind, startTracing } from './tracing';
export { tryAgain } from './try-again';
export { createTurnstile, type Turnstile } from './turnstile';
export { within } from './within';
export {
  forgetSandbox,
  isSandbox,
  movedSandboxes,
  noteSandbox,
  onClockMoved,
  requestNow,
  sandboxAheadMs,
  type WorkspaceClock,
  workspaceClock,
} from './workspace-clock';
