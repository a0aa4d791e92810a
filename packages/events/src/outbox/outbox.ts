import { mayFail, newId } from '@laurel/lifecycle';
import { type Connection, onCommitted, onUnknownEnd, type Session } from '@laurel/mongo';
import { type Wakes, wakesOf } from '@laurel/work';
import { isPersonal } from '../catalogue/erased';
import type { CloudEvent } from '../envelope';
import { SLOTS, slotOf } from '../slots/slot-of';
import type { Slots } from '../slots/slots';
import { aheadOf } from './ahead';
import { InFlight } from './in-flight';
import { type OutboxRow, outboxRows } from './outbox-rows';
import type { ClaimedEvent, OutboxSource } from './source';
import { StoreLooks } from './store-looks';
import { Waiting } from './waiting';

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
/** Longer than any row is kept from others: one that says more was written by a clock that was ahead, and set back since. */
const BELIEVED_MS = 30_000;
/** How long an event is its own process's to publish; others take it up when that has died. */
const FRESH_MS = 10_000;
const OLDEST_FIRST = { pending: 1, _id: 1 } as const;

/**
 * The outbox of one service, in collection `outbox` of its database (docs/adr/0004). With `slots` a process relays
 * what is in those that it holds, whichever process wrote it, so that events about one subject leave in order (docs/adr/0040).
 */
export function createOutbox(connection: Connection, slots?: Slots): Outbox {
  return new MongoOutbox(connection, slots);
}

/** An event that this process has committed and holds the lease of. */
interface Fresh extends ClaimedEvent {
  until: number;
}

/**
 * Where a relay of this process listens, an event is committed with the lease of this process on it, and is relayed from
 * memory: two writes in place of three, and no read. What is not relayed so in time, for whatever reason, is a row like any
 * other when its lease ends.
 */
class MongoOutbox implements Outbox {
  private readonly rows;
  private readonly wakes: Wakes;
  /** The name that events in memory are leased under; see `disown`. */
  private me = newId();
  private relays = 0;
  private readonly fresh = new Waiting<Fresh>(({ key }) => key);
  private readonly looks = new StoreLooks();
  /** Something was committed here that another process relays. */
  private isForOthers = false;
  private readonly inFlight = new InFlight();

  constructor(
    connection: Connection,
    private readonly slots: Slots | undefined,
  ) {
    this.rows = outboxRows.open(connection).ofEverybody;
    this.wakes = wakesOf(connection, outboxRows.collection);
    slots?.use({
      gained: () => {
        this.looks.ask();
        this.wakes.wake();
      },
      lost: (slot) => this.leave(slot),
    });
  }

  async append(events: readonly CloudEvent[], session: Session): Promise<void> {
    if (events.length === 0) return;
    this.wakes.wake(session);
    const now = new Date();
    const until = new Date(now.getTime() + FRESH_MS);
    const hasRoom = this.fresh.hasRoom();
    const ours = hasRoom && this.relays > 0 ? events.filter((event) => this.holds(event)) : [];
    const { me } = this;
    const lease = { me, until: until.getTime(), hasRoom };
    const isNoted = onCommitted(session, () => this.note(events, ours, lease));
    if (ours.length > 0)
      onUnknownEnd(session, () => {
        this.disown();
        this.looks.doubt();
      });
    const own = new Set(isNoted ? ours : []);
    const rows = events.map((event) => ({
      _id: event.id,
      event,
      slot: slotOf(event),
      ...(isPersonal(event) ? { person: event.subject } : {}),
      published_at: null,
      pending: true as const,
      lease_until: own.has(event) ? until : FREE,
      leased_by: own.has(event) ? me : null,
      created_at: now,
    }));
    await this.rows.insertMany(rows, { session });
  }

  async claim(limit: number, leaseMs: number): Promise<ClaimedEvent[]> {
    // Whatever became of the batch before, no publication is at it any more.
    if (!this.inFlight.isEmpty()) this.disown();
    this.inFlight.land();
    if (this.slots?.held().length === 0) return [];
    const held = new Set(this.slots?.held());
    const now = Date.now();
    // What has waited for half of its lease may soon be another's.
    if (this.fresh.all().some(({ until }) => until - now < FRESH_MS / 2)) await this.letGo();
    const looks = this.fresh.size === 0 || this.looks.isDue() || !this.isAlone();
    // Taken before the look: what is committed while it lasts may follow something that it did not see.
    const own = this.fresh.take(this.fresh.all().sort(oldestFirst).slice(0, limit));
    let left: ClaimedEvent[] = [];
    if (looks) {
      const read = (after: string) => this.claimStored(after, limit, leaseMs);
      left = await this.looks.look<ClaimedEvent>(read, isNone, limit).catch((error: unknown) => {
        this.fresh.add(own);
        throw error;
      });
    }
    // Behind a full page is more that may have to go first.
    if (left.length === limit) this.fresh.add(own.splice(0));
    own.push(...this.fresh.take(aheadOf(left, this.fresh.all())));
    // Of a slot that was let go meanwhile another may have claimed them, and what followed.
    const isLost = (event: CloudEvent) => held.has(slotOf(event)) && !this.holds(event);
    const claimed = [...left, ...own.map(({ key, event }) => ({ key, event }))]
      .filter(({ event }) => !isLost(event))
      .sort(oldestFirst);
    for (const { key, event } of claimed) this.inFlight.add(key, slotOf(event));
    return claimed;
  }

  takeForOthers(): boolean {
    const { isForOthers } = this;
    this.isForOthers = false;
    return isForOthers;
  }

  private holds(event: CloudEvent): boolean {
    return this.slots?.holds(slotOf(event)) ?? true;
  }

  /** No other has written what would have to go before ours: who holds all slots shares none. */
  private isAlone(): boolean {
    return this.slots === undefined || this.slots.held().length === SLOTS;
  }

  private note(
    all: readonly CloudEvent[],
    ours: readonly CloudEvent[],
    { me, until, hasRoom }: { me: string; until: number; hasRoom: boolean },
  ): void {
    if (ours.length < all.length) this.isForOthers = this.slots !== undefined;
    // Without room, or disowned since it was written: the store has it, and what is in memory must not pass it.
    if (!hasRoom || me !== this.me) this.looks.ask();
    else this.fresh.add(ours.map((event) => ({ key: event.id, event, until })));
    // Committed after this process stopped to relay it; else it would wait for the end of its lease.
    if (this.relays === 0 || !ours.every((event) => this.holds(event)))
      void this.letGo().catch(mayFail('the lease ends by itself'));
  }

  /** Lets everything that waits in memory be found in the store, by any relay that looks there. */
  private async letGo(): Promise<void> {
    const { me } = this;
    const keys = this.fresh.all().map(({ key }) => key);
    this.disown();
    if (keys.length > 0) await this.free(keys, FREE, { leased_by: me });
  }

  /**
   * Takes another name, so that whatever was leased under the one before is another's to this process, too: it is found in
   * the store at once, in its order. Else what is leased here and in no memory, because its commit was not heard of or a
   * batch came to no end, would be passed by later events until its lease ended.
   */
  private disown(): void {
    this.me = newId();
    this.fresh.clear();
    this.looks.ask();
  }

  /** Another process relays the slot from now on, as soon as what is on its way has arrived. */
  private async leave(slot: number): Promise<void> {
    // A store that is away makes no difference: who holds the slot need not mind our lease.
    await this.letGo().catch(mayFail('the lease ends by itself'));
    await this.inFlight.arrived(slot);
  }

  /** Rows that this process may take now. What the holder of a slot finds there is in no other hands, whatever its lease says. */
  private isFree(now: Date) {
    const pending = { pending: true as const };
    const tooLate = new Date(now.getTime() + BELIEVED_MS);
    const leaseOver = { lease_until: { $not: { $gt: now, $lte: tooLate } } };
    if (!this.slots) return { ...pending, ...leaseOver };
    const inHeld = { slot: { $in: [...this.slots.held()] } };
    return {
      ...pending,
      $or: [
        { ...leaseOver, slot: { $exists: false } },
        { ...leaseOver, ...inHeld },
        { ...inHeld, leased_by: { $nin: [this.me, null] } },
      ],
    };
  }

  private async claimStored(after: string, limit: number, leaseMs: number) {
    const now = new Date();
    const isFree = this.isFree(now);
    const projection = { event: 1 };
    const free = await this.rows
      .find(after === '' ? isFree : { ...isFree, _id: { $gt: after } }, { projection })
      .sort(OLDEST_FIRST)
      .limit(limit)
      .toArray();
    if (free.length === 0) return [];
    const ids = free.map((row) => row._id);
    // One lease per claim, so that what this claim won is known from what another took meanwhile.
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
    const published = { published_at: new Date(), leased_by: null };
    await this.rows
      .updateMany(
        { _id: { $in: [...keys] }, pending: true },
        { $set: published, $unset: { pending: '' } },
      )
      .catch((error: unknown) => {
        this.disown();
        throw error;
      })
      .finally(() => this.inFlight.land(keys));
  }

  /** What comes after them may not pass them: all of it is taken from the store, in its order. */
  async release(keys: readonly string[], retryInMs: number): Promise<void> {
    try {
      await this.letGo();
      await this.free(keys, retryInMs === 0 ? FREE : new Date(Date.now() + retryInMs));
      if (retryInMs > 0) this.looks.doubt(2 * retryInMs);
    } finally {
      this.inFlight.land(keys);
    }
  }

  async resign(): Promise<void> {
    this.relays = 0;
    this.inFlight.land();
    await this.letGo();
  }

  private async free(keys: readonly string[], from: Date, held: object = {}): Promise<void> {
    await this.rows.updateMany(
      { _id: { $in: [...keys] }, pending: true, ...held },
      { $set: { leased_by: null, lease_until: from } },
    );
  }

  pendingCount(): Promise<number> {
    return this.rows.countDocuments({ pending: true });
  }

  async isPending(workspaceId: string): Promise<boolean> {
    const filter = { pending: true as const, 'event.workspaceid': workspaceId };
    return (await this.rows.findOne(filter, { projection: { _id: 1 } })) !== null;
  }

  async oldestPendingAt(): Promise<Date | null> {
    const projection = { created_at: 1 };
    const oldest = await this.rows.findOne({ pending: true }, { sort: OLDEST_FIRST, projection });
    this.looks.measured(oldest?.created_at ?? null);
    return oldest?.created_at ?? null;
  }

  onCommit(listener: () => void): () => void {
    this.relays += 1;
    return this.wakes.onWake(listener);
  }
}

const isNone = (found: readonly unknown[]): boolean => found.length === 0;
const oldestFirst = (one: ClaimedEvent, other: ClaimedEvent): number =>
  one.key < other.key ? -1 : 1;

function toClaim({ _id, event }: Pick<OutboxRow, '_id' | 'event'>): ClaimedEvent {
  return { key: _id, event };
}
