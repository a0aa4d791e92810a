import { tryAgain } from '@laurel/lifecycle';
import {
  type CollectionIndexes,
  type Connection,
  isDuplicateKey,
  type Session,
  unitOfWork,
} from '@laurel/mongo';
import type { CloudEvent } from '../envelope';

const COLLECTION = 'inbox';
const KEPT_SECONDS = 8 * 86_400;

interface InboxRow {
  /** `<queue>:<event id>`, with `:<step>` where one event has several effects. */
  _id: string;
  handled_at: Date;
}

/** The index of the inbox; part of every service's own list (`ensureIndexes` of @laurel/mongo). */
export const inboxIndexes: CollectionIndexes = {
  collection: COLLECTION,
  growth: {
    per: 'event and queue',
    end: '8 days: longer than an event can come again',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { handled_at: 1 }, name: 'handled_ttl', expireAfterSeconds: KEPT_SECONDS }],
};

/**
 * Runs an effect at most once per event: the effect and the note that it happened are one unit of
 * work. Resolves undefined, having done nothing, when it already happened. A handler with several
 * effects names each by a `step`.
 */
export type Once = <T>(
  effect: (session: Session) => Promise<T>,
  step?: string,
) => Promise<T | undefined>;

/**
 * As Once, for a batch: `effect` gets those events that were not handled before. It must be one
 * unit of work; on a conflict it runs again.
 */
export type OnceForBatch<Event extends CloudEvent = CloudEvent> = (
  effect: (session: Session, fresh: Event[]) => Promise<void>,
) => Promise<void>;

class AlreadyHandled extends Error {}

/** A batch comes to two replicas at once where one has lost the broker; more than one collision in a row is rare. */
const TRIES_MAX = 5;
const isAlreadyHandled = (error: unknown): boolean => error instanceof AlreadyHandled;

export interface Inbox {
  onceFor(event: CloudEvent): Once;
  onceForBatch(events: readonly CloudEvent[]): OnceForBatch;
}

/** What a queue's consumer remembers of the events it handled, in collection `inbox`. */
export function createInbox(connection: Connection, queue: string): Inbox {
  const rows = connection.collection<InboxRow>(COLLECTION);
  const keyOf = (event: CloudEvent, step?: string) =>
    `${queue}:${event.id}${step === undefined ? '' : `:${step}`}`;

  async function note(keys: readonly string[], session: Session): Promise<void> {
    const handledAt = new Date();
    try {
      await rows.insertMany(
        keys.map((_id) => ({ _id, handled_at: handledAt })),
        { session },
      );
    } catch (error) {
      // Not to be mistaken for a duplicate key of the effect's own, which is the effect's business.
      if (isDuplicateKey(error)) throw new AlreadyHandled();
      throw error;
    }
  }

  return {
    onceFor: (event) => async (effect, step) => {
      try {
        return await unitOfWork(connection, async (session) => {
          await note([keyOf(event, step)], session);
          return effect(session);
        });
      } catch (error) {
        if (isAlreadyHandled(error)) return undefined;
        throw error;
      }
    },

    onceForBatch: (events) => (effect) =>
      // What another replica handled in the same moment is known to the next try.
      tryAgain({ on: isAlreadyHandled, triesMax: TRIES_MAX }, () =>
        unitOfWork(connection, async (session) => {
          const byKey = new Map(events.map((event) => [keyOf(event), event]));
          const known = await rows.find({ _id: { $in: [...byKey.keys()] } }, { session }).toArray();
          for (const row of known) byKey.delete(row._id);
          if (byKey.size === 0) return;
          await note([...byKey.keys()], session);
          await effect(session, [...byKey.values()]);
        }),
      ),
  };
}
