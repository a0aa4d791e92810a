import { SLOTS, slotOf } from '@laurel/events';
import { mayFail } from '@laurel/lifecycle';
import { type Connection, collection, insertMissing, type Rows } from '@laurel/mongo';
import { type Claimed, createDue, dueIndex, type Room } from '@laurel/work';
import type { TriggeringEvent } from './triggering-events';

const KEPT_SECONDS = 7 * 86_400;
/** Rows of earlier versions say no slot: they are in the first, as messages are that say none (docs/adr/0040). */
const FIRST_SLOT = 0;

interface BacklogDocument {
  _id: string;
  workspace_id: string;
  client_id: string | null;
  /** Metadata is anybody's JSON, whose member names a store may not take: the event is kept as text. */
  event: string;
  /** That of the event (docs/adr/0040). Absent in rows of earlier versions. */
  slot?: number;
  attempts: number;
  /** Rules that had their turn and whose conditions did not hold, by the ids of executions. Absent where there are none. */
  unmet?: string[];
  /** It met a fault of its own, and later events of its client need not wait for it. Absent until then. */
  failed?: true;
  added_at: Date;
  /** When it is to be worked on; also the end of a claim. Absent once it is given up. */
  due_at?: Date;
  lease?: string;
}

export const triggerBacklog = collection<BacklogDocument>('trigger_backlog', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'stays: the event says who it was, and its execution looks who that is now',
    anonymized: 'goes',
    deleted: 'as anonymized',
    exported: 'withheld: within a moment it is an execution',
  },
  growth: {
    per: 'event that waits for its turn',
    end: 'when it was decided; 7 days where it cannot be',
    shardKey: 'hashed _id',
  },
  indexes: [
    dueIndex(),
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
    { key: { lease: 1 }, name: 'in_hand', partialFilterExpression: { lease: { $exists: true } } },
    { key: { added_at: 1 }, name: 'added_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
});

/** An event that waits for its workspace's turn, in the hands of one worker. */
export interface HeldTrigger {
  id: string;
  workspaceId: string;
  clientId: string | null;
  event: TriggeringEvent;
  slot: number;
  addedAt: Date;
  attempts: number;
  /** Of which rules a condition did not hold at an earlier turn, by the ids of executions that there would be. */
  unmet: readonly string[];
  lease: string;
}

/** Events that came in such numbers that rules over them have to wait; each as long as it waits. */
export function createTriggerBacklogStore(connection: Connection) {
  const rows = triggerBacklog.open(connection);
  const due = createDue<BacklogDocument, HeldTrigger>(connection, triggerBacklog.collection, {
    onClaim: { $inc: { attempts: 1 } },
    read: toHeld,
  });
  const keep = gathered<BacklogDocument>((added) => insertMissing(rows, added));

  return {
    /** Events that wait for their turn. */
    due,

    ...takingOver(rows),

    /** Takes up those of some slots alone. */
    claim: (
      slots: readonly number[],
      room: Room,
      wanted: { now: Date; leaseMs: number },
    ): Promise<Claimed<HeldTrigger>[]> => due.claim(room, { ...wanted, also: inSlots(slots) }),

    /** Keeps an event; the same one again changes nothing. */
    async add(workspaceId: string, event: TriggeringEvent, now: Date): Promise<void> {
      const clientId = 'client_id' in event.data ? event.data.client_id : null;
      await keep({
        _id: event.id,
        workspace_id: workspaceId,
        client_id: clientId,
        event: JSON.stringify(event),
        slot: slotOf(event),
        attempts: 0,
        added_at: now,
        due_at: now,
      });
    },

    /** What rules have run over. */
    async remove(workspaceId: string, done: readonly Pick<HeldTrigger, 'id'>[]): Promise<void> {
      if (done.length === 0) return;
      await rows.of(workspaceId).deleteMany({ _id: { $in: done.map(({ id }) => id) } });
    },

    /** Gives it back for another try; for good where `retryAt` is null. */
    async postpone(held: HeldTrigger, retryAt: Date | null): Promise<void> {
      const change = { $set: { ...unmetOf(held), failed: true } };
      await (retryAt ? due.postpone(held, retryAt, change) : due.finish(held));
    },

    /** Gives it back until a service may be there again, which costs no try. */
    async keepWaiting(held: HeldTrigger, retryAt: Date): Promise<void> {
      await due.postpone(held, retryAt, { $set: unmetOf(held), $inc: { attempts: -1 } });
    },

    /** Gives back what was not begun, to the place it had. */
    async giveBack(held: HeldTrigger): Promise<void> {
      await due.postpone(held, held.addedAt, { $inc: { attempts: -1 } });
    },

    /** Whether one waits for its first try, or is at it. */
    isWaiting: (workspaceId: string, id: string): Promise<boolean> =>
      rows.of(workspaceId).has({ _id: id, ...WAITING, ...UNTRIED }),

    /** Whether anything of a workspace in some slots waits for its first try, or is at it. */
    hasAny: (workspaceId: string, slots: readonly number[]): Promise<boolean> =>
      rows.of(workspaceId).has({ ...WAITING, ...UNTRIED, ...inSlots(slots) }),
  };
}

/** How a process begins with slots. */
function takingOver(rows: Rows<BacklogDocument>) {
  return {
    /**
     * Begins with slots that another process had before: what that held is free, in the order in which it came, for only
     * who holds a slot is at work on its rows. What an older version holds, which knows no slots, stays with it.
     *
     * @param inHand those that this process has itself
     */
    async takeOver(
      slots: readonly number[],
      inHand: { has(held: Pick<HeldTrigger, 'id' | 'lease'>): boolean },
    ): Promise<void> {
      const held = { lease: { $exists: true }, ...WAITING, slot: { $in: [...slots] } };
      const projection = { lease: 1, added_at: 1 };
      const found = await rows.ofEverybody.find(held, { projection }).toArray();
      const left = found.filter(({ _id: id, lease }) => !inHand.has({ id, lease: lease! }));
      if (left.length === 0) return;
      const free = left.map(({ _id, lease, added_at }) => ({
        updateOne: {
          filter: { _id, lease: lease! },
          update: { $set: { due_at: added_at }, $unset: { lease: '' as const } },
        },
      }));
      await rows.bulkWrite(free, { ordered: false });
    },

    /** The workspaces of which something in some slots waits for its first try, or is at it. */
    async waitingIn(slots: readonly number[]): Promise<string[]> {
      const waiting = { ...WAITING, ...UNTRIED, ...inSlots(slots) };
      const projection = { workspace_id: 1 };
      const found: string[] = [];
      // From one to the next by the index, past all else that waits of each.
      for (let after = ''; ; ) {
        const next = await rows.ofEverybody
          .find({ ...waiting, workspace_id: { $gt: after } }, { projection })
          .sort({ workspace_id: 1 })
          .limit(1)
          .toArray();
        if (!next[0]) return found;
        after = next[0].workspace_id;
        found.push(after);
      }
    },
  };
}

const unmetOf = ({ unmet }: HeldTrigger) => (unmet.length > 0 ? { unmet: [...unmet] } : {});

const WAITING = { due_at: { $exists: true } };
const UNTRIED = { failed: { $exists: false } };

/** The condition of rows in some slots; none where those are all there are. */
function inSlots(slots: readonly number[]): { slot?: { $in: number[] } } {
  if (slots.length === SLOTS) return {};
  // The store takes null for a column that is absent, too.
  const absent = slots.includes(FIRST_SLOT) ? [null as unknown as number] : [];
  return { slot: { $in: [...slots, ...absent] } };
}

function toHeld(document: BacklogDocument & { lease: string }): HeldTrigger {
  const { _id, workspace_id, client_id, event, slot = FIRST_SLOT } = document;
  const { added_at, attempts, unmet = [], lease } = document;
  return {
    id: _id,
    workspaceId: workspace_id,
    clientId: client_id,
    event: JSON.parse(event) as TriggeringEvent,
    slot,
    addedAt: added_at,
    attempts,
    unmet,
    lease,
  };
}

/** Writes at once when idle; what is asked for while a write is on its way makes up the next one. */
function gathered<Row>(
  write: (rows: readonly Row[]) => Promise<void>,
): (row: Row) => Promise<void> {
  let next: { rows: Row[]; written: Promise<void> } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return (row) => {
    if (!next) {
      const batch = { rows: [] as Row[], written: Promise.resolve() };
      batch.written = last.then(() => {
        next = null;
        return write(batch.rows);
      });
      last = batch.written.catch(mayFail('whoever wrote it hears of it'));
      next = batch;
    }
    next.rows.push(row);
    return next.written;
  };
}
