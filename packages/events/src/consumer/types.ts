import type { Logger } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { Broker } from '../broker/broker';
import type { Concrete, EventType } from '../catalogue';
import type { CloudEvent, EventOf } from '../envelope';
import type { Slots } from '../slots/slots';
import type { Tally } from '../tally';
import type { Once, OnceForBatch } from './inbox';

/** The binding of a queue that gets every event. */
export const EVERY_EVENT = '#';

/**
 * Handles one event. It may run more than once for the same event: writes go through `once`, calls to
 * other services carry the context's operation id.
 */
export type Handler<Type extends EventType> = (event: EventOf<Type>, once: Once) => Promise<void>;

/**
 * Event type, or a pattern of the catalogue such as `custom.*`, to its handler; `#` gets what has none of its own. The
 * queue is bound to what stands here.
 */
export type HandlerTable = { readonly [Type in EventType]?: Handler<Type> } & {
  readonly [EVERY_EVENT]?: (event: CloudEvent, once: Once) => Promise<void>;
};

/** Events that are handled together. Made by `batchOf`, which knows their types. */
export interface Batch {
  types: readonly string[];
  /** Gets whatever is waiting, up to `prefetch`, no event twice; if it throws, it gets either half, down to single events. */
  handle: (events: readonly CloudEvent[], once: OnceForBatch) => Promise<void>;
}

/** The same handler for events of several types. */
export function each<const Type extends EventType>(
  types: readonly Type[],
  handler: Handler<Concrete<Type>>,
): HandlerTable {
  return Object.fromEntries(types.map((type) => [type, handler])) as object;
}

/** One handler for all that waits of some types, or of all there are. */
export function batchOf<const Type extends EventType | typeof EVERY_EVENT>(
  types: readonly Type[],
  handle: (
    events: readonly BatchedEvent<Type>[],
    once: OnceForBatch<BatchedEvent<Type>>,
  ) => Promise<void>,
): Batch {
  return { types, handle: handle as Batch['handle'] };
}
type BatchedEvent<Type extends EventType | typeof EVERY_EVENT> = Type extends EventType
  ? EventOf<Concrete<Type>>
  : CloudEvent;

/** The routing patterns that a queue is bound to. A final `*` of the catalogue is any ending; the broker's is one word. */
export function bindingsOf({ handlers, batch }: Listening): readonly string[] {
  const types = handlers ? Object.keys(handlers) : batch.types;
  return types.map((type) => type.replace(/\.\*$/, '.#'));
}

/** One event after the other by a table of handlers, or all that waits together. */
export type Listening =
  | { handlers: HandlerTable; batch?: never }
  | { handlers?: never; batch: Batch };

interface ConsumerBase {
  broker: Broker;
  /** Database of the service; holds the inbox beside what the handlers write. */
  connection: Connection;
  /** `<service>.<purpose>`, e.g. `integrations.webhook-fanout`. */
  queue: string;
  logger: Logger;
  /** Deliveries in hand at once; 1 handles strictly one after the other. */
  prefetch?: number;
  maxAttempts?: number;
  retryDelaysMs?: readonly number[];
  /** How often an event of an unknown type or version is looked at again; a minute. */
  newerRetryMs?: number;
  /** Events about one subject one after the other in all replicas: each handles those of the slots that it holds. */
  ordered?: Slots;
  /** How often it measures its queues and binds them again. */
  tendMs?: number;
  tally?: Tally;
}

export type ConsumerSettings = ConsumerBase & Listening;

export interface Consumer {
  /** Resolves when nothing waits, is being handled, or waits for a retry of this process. For tests. */
  whenIdle(): Promise<void>;
  /** Takes nothing new, finishes what is in hand, then returns. */
  stop(): Promise<void>;
}
