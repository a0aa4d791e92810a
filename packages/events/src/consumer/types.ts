import type { Logger } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { Broker } from '../broker/broker';
import type { EventMap, EventType } from '../catalogue';
import type { CloudEvent } from '../envelope';
import type { Tally } from '../tally';
import type { Once, OnceForBatch } from './inbox';

export type EventOf<Type extends EventType> = CloudEvent<Type, EventMap[Type]>;

/**
 * Handles one event. It may run more than once for the same event: writes go through `once`, calls to
 * other services carry the context's operation id.
 */
export type Handler<Type extends EventType> = (event: EventOf<Type>, once: Once) => Promise<void>;

/** Event type, or a pattern of the catalogue such as `custom.*`, to its handler. */
export type HandlerTable = { readonly [Type in EventType]?: Handler<Type> };

interface ConsumerBase {
  broker: Broker;
  /** Database of the service; holds the inbox beside what the handlers write. */
  connection: Connection;
  /** `<service>.<purpose>`, e.g. `integrations.webhook-fanout`. */
  queue: string;
  /** Routing patterns, e.g. `loyalty.*`, `custom.#`, `#`. */
  bindings: readonly string[];
  logger: Logger;
  /** Deliveries in hand at once; 1 handles strictly one after the other. */
  prefetch?: number;
  maxAttempts?: number;
  retryDelaysMs?: readonly number[];
  /** How often an event of an unknown type or version is looked at again; a minute. */
  newerRetryMs?: number;
  /** Only one replica consumes at a time, the others stand by. */
  singleActive?: boolean;
  tally?: Tally;
}

export type ConsumerSettings = ConsumerBase &
  (
    | { handlers: HandlerTable; handle?: never; handleBatch?: never }
    | {
        handle: (event: CloudEvent, once: Once) => Promise<void>;
        handlers?: never;
        handleBatch?: never;
      }
    | {
        /** Gets whatever is waiting, up to `prefetch`; if it throws, each event is handled on its own. */
        handleBatch: (events: readonly CloudEvent[], once: OnceForBatch) => Promise<void>;
        handlers?: never;
        handle?: never;
      }
  );

export interface Consumer {
  /** Resolves when nothing waits, is being handled, or waits for a retry of this process. For tests. */
  whenIdle(): Promise<void>;
  /** Takes nothing new, finishes what is in hand, then returns. */
  stop(): Promise<void>;
}
