import { AsyncLocalStorage } from 'node:async_hooks';
import { newId } from './new-id';

/** Who asked for something. `id` is null only for the platform itself. */
export interface Actor {
  type: 'user' | 'token' | 'mobile' | 'client' | 'system';
  id: string | null;
  email?: string | null;
}

/** Tags of the versions of a row that a change may follow; `*` is any version. */
export type IfMatch = '*' | readonly string[];

/**
 * What accompanies one piece of work through every process: put on the wire by packages/rpc and
 * packages/events, found in every log line, never passed by hand.
 */
export interface Context {
  requestId: string;
  actor: Actor;
  workspaceId: string | null;
  /** How far the clock of the workspace was ahead when this was sent; of sandboxes alone (docs/adr/0029). */
  sandboxAheadMs?: number;
  /** Names the command itself: the same on every retry of it, so that it takes effect once. */
  operationId: string;
  /** True when the operation id stands for a caller's Idempotency-Key and its reply must be kept. */
  operationKept: boolean;
  /** Stands for what was asked under the caller's Idempotency-Key: another request under the same key is refused. */
  fingerprint?: string;
  correlationId: string;
  /** Id of the event that caused this work; null when a person or program asked for it. */
  causationId: string | null;
  /** Ids of the automation rules that led here, oldest first. */
  chain: readonly string[];
  depth: number;
  traceparent?: string;
  /** Epoch milliseconds after which the caller no longer waits for the answer. */
  deadlineAt?: number;
  /** True where no caller waits for an answer at all: jobs, events, what follows from an answer. */
  background?: boolean;
  /** The condition that a change is asked under: for the service that is asked, not for whom that one asks. */
  ifMatch?: IfMatch;
  /** The condition that the work going on was asked under (docs/adr/0034). */
  condition?: IfMatch;
}

const storage = new AsyncLocalStorage<Context>();

/** A fresh context of the platform's own, e.g. for a job. */
export function systemContext(overrides: Partial<Context> = {}): Context {
  let made: string | undefined;
  const id = (): string => {
    made ??= newId();
    return made;
  };
  return {
    actor: { type: 'system', id: null },
    workspaceId: null,
    operationKept: false,
    causationId: null,
    chain: [],
    depth: 0,
    ...overrides,
    requestId: overrides.requestId ?? id(),
    operationId: overrides.operationId ?? id(),
    correlationId: overrides.correlationId ?? id(),
  };
}

/** The context of the work going on; a system context where none was opened: no caller waits there. */
export function currentContext(): Context {
  return storage.getStore() ?? systemContext({ background: true });
}

/** The present context, for a command under a name of its own: what the caller asked under its key says nothing of it. */
export function ownOperation(operationId: string): Context {
  const { fingerprint: _ofTheCaller, ...context } = currentContext();
  return { ...context, operationId };
}

/** The same, for a command that takes back what another one has just written: no reply of it is kept, and the version that the caller named is past. */
export function takingBack(operationId: string): Context {
  const { condition: _ofTheCaller, ...context } = ownOperation(operationId);
  return { ...context, operationKept: false };
}

/** The same, for a command whose reply is kept: a repeat of it changes nothing. */
export function keptOperation(operationId: string): Context {
  return { ...ownOperation(operationId), operationKept: true };
}

/** Until when there is time for what an answer waits for, if so much is kept for the answer; no end without a caller. */
export function answerBy(keptMs: number): number {
  return (currentContext().deadlineAt ?? Number.POSITIVE_INFINITY) - keptMs;
}

/** Whether the current work belongs to a request, event or job. */
export function hasContext(): boolean {
  return storage.getStore() !== undefined;
}

export function runInContext<T>(context: Context, work: () => T): T {
  return storage.run(context, work);
}
