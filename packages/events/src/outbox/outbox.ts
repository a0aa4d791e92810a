import { newId } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { CloudEvent } from '../envelope';
import type { ClaimedEvent, OutboxSource } from './source';

const COLLECTION = 'outbox';
const KEPT_SECONDS = 7 * 86_400;

interface OutboxRow {
  /** Event id: a UUID v7, so rows sort by when their events were made. */
  _id: string;
  event: CloudEvent;
  published_at: Date | null;
  /** There only while unpublished: what the partial index is made of. */
  pending?: true;
  lease_until: Date;
  leased_by: string | null;
  created_at: Date;
}

/** The indexes of the outbox; part of every service's own list (`ensureIndexes` of @laurel/mongo). */
export const outboxIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { pending: 1, _id: 1 }, name: 'pending', partialFilterExpression: { pending: true } },
    { key: { published_at: 1 }, name: 'published_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
};

/** Events committed together with the state they tell of, waiting to be published. */
export interface Outbox extends OutboxSource {
  /**
   * Writes events in the caller's transaction. When its session ends, the relay of this outbox is
   * woken. Appending the same event twice fails as a duplicate key.
   */
  append(events: readonly CloudEvent[], session: Session): Promise<void>;
  onCommit(listener: () => void): () => void;
}

const FREE = new Date(0);

/** The outbox of one service, in collection `outbox` of its database (design.md, section 5). */
export function createOutbox(connection: Connection): Outbox {
  const rows = connection.collection<OutboxRow>(COLLECTION);
  const listeners = new Set<() => void>();
  const watched = new WeakSet<Session>();

  function notifyWhenEnded(session: Session): void {
    // A transaction that is run again appends again; one listener per session is enough.
    if (watched.has(session)) return;
    watched.add(session);
    session.once('ended', () => {
      for (const listener of listeners) listener();
    });
  }

  return {
    async append(events, session) {
      if (events.length === 0) return;
      notifyWhenEnded(session);
      const now = new Date();
      await rows.insertMany(
        events.map((event) => ({
          _id: event.id,
          event,
          published_at: null,
          pending: true as const,
          lease_until: FREE,
          leased_by: null,
          created_at: now,
        })),
        { session },
      );
    },

    async claim(limit, leaseMs) {
      const now = new Date();
      const free = await rows
        .find({ pending: true, lease_until: { $lte: now } }, { projection: { event: 1 } })
        .sort({ pending: 1, _id: 1 })
        .limit(limit)
        .toArray();
      if (free.length === 0) return [];
      const ids = free.map((row) => row._id);
      // One lease per claim, so that what this claim won can be told from what another took meanwhile.
      const lease = newId();
      const won = await rows.updateMany(
        { _id: { $in: ids }, pending: true, lease_until: { $lte: now } },
        { $set: { leased_by: lease, lease_until: new Date(now.getTime() + leaseMs) } },
      );
      if (won.modifiedCount === free.length) return free.map(toClaim);
      const mine = await rows
        .find({ _id: { $in: ids }, leased_by: lease }, { projection: { _id: 1 } })
        .toArray();
      const kept = new Set(mine.map((row) => row._id));
      return free.filter((row) => kept.has(row._id)).map(toClaim);
    },

    async markPublished(keys) {
      await rows.updateMany(
        { _id: { $in: [...keys] }, pending: true },
        { $set: { published_at: new Date(), leased_by: null }, $unset: { pending: '' } },
      );
    },

    async release(keys, retryInMs) {
      await rows.updateMany(
        { _id: { $in: [...keys] }, pending: true },
        { $set: { leased_by: null, lease_until: new Date(Date.now() + retryInMs) } },
      );
    },

    pendingCount: () => rows.countDocuments({ pending: true }),

    async oldestPendingAt() {
      const oldest = await rows.findOne(
        { pending: true },
        { sort: { pending: 1, _id: 1 }, projection: { created_at: 1 } },
      );
      return oldest?.created_at ?? null;
    },

    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function toClaim({ _id, event }: Pick<OutboxRow, '_id' | 'event'>): ClaimedEvent {
  return { key: _id, event };
}
