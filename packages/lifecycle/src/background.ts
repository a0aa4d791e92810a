import { ROOT_CONTEXT, context as traceContext } from '@opentelemetry/api';
import { type Context, currentContext, runInContext, systemContext } from './context';
import { newId } from './new-id';

/**
 * Runs work that no caller waits for in a context of its own (docs/adr/0009): without the deadline, the trace, the actor
 * or the breaker of the request that happened to cause it. `name` leads its request id in every log line; `given` is
 * what the work knows of its own: a deadline, the workspace of the row in hand.
 */
export function runInBackground<T>(name: string, work: () => T, given: Partial<Context> = {}): T {
  const own = systemContext({ requestId: `${name}-${newId()}`, ...given, background: true });
  return traceContext.with(ROOT_CONTEXT, () => runInContext(own, work));
}

/**
 * Runs what a request has decided and must be tried even when its caller no longer waits: who asked and the operation
 * stay, the deadline does not, and calls are counted with the background's.
 */
export function beyondRequest<T>(work: () => T): T {
  const { deadlineAt: _deadline, ...context } = currentContext();
  return runInContext({ ...context, background: true }, work);
}

export interface Timer {
  cancel(): void;
}

/** Runs `work` once after `delayMs`, in the background; never keeps the process alive. */
export function later(name: string, delayMs: number, work: () => void): Timer {
  const timer = setTimeout(() => runInBackground(name, work), delayMs);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Runs `work` every so often, in the background; never keeps the process alive. */
export function every(name: string, periodMs: number, work: () => void): Timer {
  const timer = setInterval(() => runInBackground(name, work), periodMs);
  timer.unref();
  return { cancel: () => clearInterval(timer) };
}
