import { newId } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { type Wakes, wakesOf } from '@laurel/work';
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
  claim(limit: number, leaseMs: number): Promise<ClaimedEvent[]>;
  onCommit(listener: () => void): () => void;
}

const FREE = new Date(0);
const OLDEST_FIRST = { pending: 1, _id: 1 } as const;

/** The outbox of one service, in collection `outbox` of its database (design.md, section 5). */
export function createOutbox(connection: Connection): Outbox {
  return new MongoOutbox(connection);
}

class MongoOutbox implements Outbox {
  private readonly rows;
  private readonly wakes: Wakes;

  constructor(connection: Connection) {
    this.rows = connection.collection<OutboxRow>(COLLECTION);
    this.wakes = wakesOf(connection, COLLECTION);
  }

  async append(events: readonly CloudEvent[], session: Session): Promise<void> {
    if (events.length === 0) return;
    this.wakes.wake(session);
    const now = new Date();
    const rows = events.map((event) => ({
      _id: event.id,
      event,
      published_at: null,
      pending: true as const,
      lease_until: FREE,
      leased_by: null,
      created_at: now,
    }));
    await this.rows.insertMany(rows, { session });
  }

  async claim(limit: number, leaseMs: number): Promise<ClaimedEvent[]> {
    const now = new Date();
    const isFree = { pending: true as const, lease_until: { $lte: now } };
    const projection = { event: 1 };
    const free = await this.rows
      .find(isFree, { projection })
      .sort(OLDEST_FIRST)
      .limit(limit)
      .toArray();
    if (free.length === 0) return [];
    const ids = free.map((row) => row._id);
    // One lease per claim, so that what this claim won can be told from what another took meanwhile.
    const lease = newId();
    const until = new Date(now.getTime() + leaseMs);
    const taken = { $set: { leased_by: lease, lease_until: until } };
    const won = await this.rows.updateMany({ _id: { $in: ids }, ...isFree }, taken);
    if (won.modifiedCount === free.length) return free.map(toClaim);
    const mine = await this.rows.distinct('_id', { _id: { $in: ids }, leased_by: lease });
    const kept = new Set(mine);
    return free.filter((row) => kept.has(row._id)).map(toClaim);
  }

  async markPublished(keys: readonly string[]): Promise<void> {
    await this.rows.updateMany(
      { _id: { $in: [...keys] }, pending: true },
      { $set: { published_at: new Date(), leased_by: null }, $unset: { pending: '' } },
    );
  }

  async release(keys: readonly string[], retryInMs: number): Promise<void> {
    await this.rows.updateMany(
      { _id: { $in: [...keys] }, pending: true },
      { $set: { leased_by: null, lease_until: new Date(Date.now() + retryInMs) } },
    );
  }

  pendingCount(): Promise<number> {
    return this.rows.countDocuments({ pending: true });
  }

  async oldestPendingAt(): Promise<Date | null> {
    const projection = { created_at: 1 };
    const oldest = await this.rows.findOne({ pending: true }, { sort: OLDEST_FIRST, projection });
    return oldest?.created_at ?? null;
  }

  onCommit(listener: () => void): () => void {
    return this.wakes.onWake(listener);
  }
}

function toClaim({ _id, event }: Pick<OutboxRow, '_id' | 'event'>): ClaimedEvent {
  return { key: _id, event };
}
