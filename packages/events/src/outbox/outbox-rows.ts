import { type Connection, collection, type Erasure, type Merge, type Unit } from '@laurel/mongo';
import { erasedData } from '../catalogue/erased';
import type { CloudEvent } from '../envelope';

const BATCH = 500;
const KEPT_SECONDS = 7 * 86_400;

export interface OutboxRow {
  /** Event id: a UUID v7, so rows sort by when their events were made. */
  _id: string;
  event: CloudEvent;
  /** Who holds it relays the row; absent in rows of older releases. */
  slot?: number;
  /** The client whom the event tells of by more than ids, for when that client is erased. */
  person?: string;
  published_at: Date | null;
  /** There only while unpublished: what the partial index is made of. */
  pending?: true;
  lease_until: Date;
  leased_by: string | null;
  created_at: Date;
}

/** The rows of the outbox of a service, every one of which has one. */
export const outboxRows = collection<OutboxRow>('outbox', {
  tenant: 'none: an event leaves though its workspace is gone by then, and may be of none',
  person: {
    column: 'none: whose it is depends on the workspace within its event, too',
    merged: movePerson,
    anonymized: erasePerson,
    deleted: 'as anonymized',
    exported: 'withheld: what happened to rows that are shown',
  },
  growth: {
    per: 'event',
    end: 'OUTBOX_KEPT_HOURS (24) after it left',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { pending: 1, _id: 1 }, name: 'pending', partialFilterExpression: { pending: true } },
    { key: { published_at: 1 }, name: 'published_ttl', expireAfterSeconds: KEPT_SECONDS },
    { key: { person: 1 }, name: 'person', partialFilterExpression: { person: { $exists: true } } },
  ],
});

const rowsIn = (connection: Connection) => outboxRows.open(connection).ofEverybody;

/**
 * Takes out of the events that are kept for replays who a client was; events that say so no longer stay. What has not left
 * yet may still leave as it was, before the event that tells of the erasure. Repeating it is harmless.
 */
async function erasePerson(
  { connection, session }: Unit<OutboxRow>,
  { workspaceId, clientId }: Erasure,
): Promise<void> {
  const rows = rowsIn(connection);
  const ofPerson = { person: clientId, 'event.workspaceid': workspaceId };
  for (;;) {
    const found = await rows
      .find(ofPerson, { projection: { event: 1 }, session })
      .limit(BATCH)
      .toArray();
    if (found.length === 0) return;
    const updates = found.map(({ _id, event }) => ({
      updateOne: {
        filter: { _id },
        update: {
          $set: { 'event.data': erasedData(event.type, event.data) },
          $unset: { person: '' as const },
        },
      },
    }));
    await rows.bulkWrite(updates, { ordered: false, session });
  }
}

/** What a merged client's events tell is from now on the target's. Repeating it is harmless. */
async function movePerson(
  { connection, session }: Unit<OutboxRow>,
  { workspaceId, source, target }: Merge,
): Promise<void> {
  const ofSource = { person: source, 'event.workspaceid': workspaceId };
  await rowsIn(connection).updateMany(ofSource, { $set: { person: target } }, { session });
}
