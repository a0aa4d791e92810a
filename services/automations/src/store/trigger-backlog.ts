import { mayFail } from '@laurel/lifecycle';
import { type Connection, collection, insertMissing } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { TriggeringEvent } from './triggering-events';

const KEPT_SECONDS = 7 * 86_400;

interface BacklogDocument {
  _id: string;
  workspace_id: string;
  client_id: string | null;
  /** Metadata is anybody's JSON, whose member names a store may not take: the event is kept as text. */
  event: string;
  attempts: number;
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
    { key: { added_at: 1 }, name: 'added_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
});

/** An event that waits for its workspace's turn, in the hands of one worker. */
export interface HeldTrigger {
  id: string;
  workspaceId: string;
  clientId: string | null;
  event: TriggeringEvent;
  attempts: number;
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

    /** Keeps an event; the same one again changes nothing. */
    async add(workspaceId: string, event: TriggeringEvent, now: Date): Promise<void> {
      const clientId = 'client_id' in event.data ? event.data.client_id : null;
      await keep({
        _id: event.id,
        workspace_id: workspaceId,
        client_id: clientId,
        event: JSON.stringify(event),
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
      await (retryAt ? due.postpone(held, retryAt) : due.finish(held));
    },

    /** Gives it back until a service may be there again, which costs no try. */
    async keepWaiting(held: HeldTrigger, retryAt: Date): Promise<void> {
      await due.postpone(held, retryAt, { $inc: { attempts: -1 } });
    },

    /** Whether anything of a workspace waits for its first try, or is at it. */
    hasAny: (workspaceId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ due_at: { $exists: true }, attempts: { $lte: 1 } }),
  };
}

function toHeld(document: BacklogDocument & { lease: string }): HeldTrigger {
  const { _id, workspace_id, client_id, event, attempts, lease } = document;
  return {
    id: _id,
    workspaceId: workspace_id,
    clientId: client_id,
    event: JSON.parse(event) as TriggeringEvent,
    attempts,
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
