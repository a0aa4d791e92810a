import { erasedUnder } from '@laurel/events';
import { type Connection, collection, type Erasure, type Session, type Unit } from '@laurel/mongo';
import { endsErased, erasedUntil, TELLS_ERASURE } from '../domain/retention';

/** An event as webhooks carry it, kept once for all its deliveries and for replays. */
export interface EventRow {
  _id: string;
  workspace_id: string;
  /** The name under which webhooks carry it. */
  type: string;
  subject: string;
  occurred_at: Date;
  /** The one webhook it is for; null when it is for all that ask for its type. */
  target: string | null;
  /** The bytes that are sent and signed. */
  body: string;
  expires_at: Date;
}

/** Of a client's events as many are rewritten in one go. */
const ERASED_AT_ONCE = 500;

export interface EventPosition {
  at: Date;
  id: string;
}

export const events = collection<EventRow>('webhook_events', {
  tenant: 'workspace_id',
  person: {
    column: 'subject',
    merged: 'moves',
    anonymized: erase,
    deleted: 'as anonymized',
    exported: 'withheld: a copy of what those show who keep it',
  },
  growth: {
    per: 'event',
    end: 'RETENTION_WEBHOOK_EVENTS_DAYS (35)',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, occurred_at: 1, _id: 1 }, name: 'time' },
    { key: { workspace_id: 1, subject: 1 }, name: 'subject' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
});

export type EventStore = ReturnType<typeof createEventStore>;

/** The bodies of events, for as long as they can be replayed. */
export function createEventStore(connection: Connection) {
  const rows = events.open(connection);

  return {
    insert: (events: EventRow[], session: Session) => rows.insertMany(events, { session }),

    /** Bodies by event id, and until when they are kept; those that are not any longer are missing. */
    async kept(
      workspaceId: string,
      ids: readonly string[],
      now: Date,
    ): Promise<Map<string, Pick<EventRow, 'body' | 'expires_at'>>> {
      const found = await rows
        .of(workspaceId)
        .find(
          { _id: { $in: [...ids] }, expires_at: { $gt: now } },
          { projection: { body: 1, expires_at: 1 }, batchSize: 5_000 },
        )
        .toArray();
      return new Map(found.map((row) => [row._id, row]));
    },

    async isKept(workspaceId: string, id: string, now: Date): Promise<boolean> {
      return rows.of(workspaceId).has({ _id: id, expires_at: { $gt: now } });
    },

    /** The next events of a time range, oldest first, after a position, without their bodies. */
    range: (
      workspaceId: string,
      { after, to, now, limit }: { after: EventPosition; to: Date; now: Date; limit: number },
    ) =>
      rows
        .of(workspaceId)
        .find(
          {
            occurred_at: { $gte: after.at, $lte: to },
            $or: [{ occurred_at: { $gt: after.at } }, { _id: { $gt: after.id } }],
            expires_at: { $gt: now },
          },
          { projection: { body: 0 }, batchSize: 5_000 },
        )
        .sort({ workspace_id: 1, occurred_at: 1, _id: 1 })
        .limit(limit)
        .toArray(),
  };
}

/**
 * Takes the person out of what is kept, and lets it go soon; what is waiting to be sent has until then, and is sent without.
 * Repeating it changes nothing.
 */
async function erase(
  { rows, connection, session }: Unit<EventRow>,
  { clientId }: Erasure,
): Promise<void> {
  const soon = erasedUntil(new Date());
  const personal = { subject: clientId, type: { $nin: [...TELLS_ERASURE] } };
  const projection = { type: 1, body: 1 };
  const all = events.open(connection);
  const found = rows.find(personal, { projection, batchSize: ERASED_AT_ONCE, session });
  const updates: Parameters<(typeof all)['bulkWrite']>[0][number][] = [];
  const write = async () => {
    const some = updates.splice(0);
    if (some.length > 0) await all.bulkWrite(some, { ordered: false, session });
  };
  for await (const { _id, type, body } of found) {
    const update = { $set: { body: withoutPerson(type, body) }, $min: { expires_at: soon } };
    updates.push({ updateOne: { filter: { _id }, update } });
    if (updates.length === ERASED_AT_ONCE) await write();
  }
  await write();
}

/** The row as an erasure that came first would have left it. */
export function eventAfterErasure(row: EventRow, now: Date): EventRow {
  if (TELLS_ERASURE.has(row.type)) return row;
  const { type, body, expires_at } = row;
  return { ...row, body: withoutPerson(type, body), expires_at: endsErased(expires_at, now) };
}

/** A body of that name without what may say who its client was. */
function withoutPerson(type: string, body: string): string {
  const message = JSON.parse(body) as { data: unknown };
  return JSON.stringify({ ...message, data: erasedUnder(type, message.data) });
}
