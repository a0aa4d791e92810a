import {
  type CollectionIndexes,
  type Connection,
  createLongCounts,
  deleteInPieces,
  limitedTo,
  type Session,
} from '@laurel/mongo';
import type { Told } from '../domain/segments/profile-changes';
import { ANONYMIZED_NAME, type TrailEvent } from '../domain/trail-event';
import { along, EVENT_ORDERS, type EventFilter, OF_CAMPAIGN, toFilter } from './event-queries';
import { type PageRequest, readPage, type Sort, sortStages } from './page';
import { settledMoment, TOTAL_KEPT_MS, timeRange } from './totals';

const COLLECTION = 'events';
const EXPORT_BATCH = 10_000;
const SCRUB_BATCH = 5_000;

export const eventIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    {
      key: { workspace_id: 1, external_id: 1 },
      name: 'external_id_unique',
      unique: true,
      partialFilterExpression: { external_id: { $exists: true } },
    },
    { key: { workspace_id: 1, event_timestamp: -1, _id: -1 }, name: EVENT_ORDERS.newest },
    {
      key: { workspace_id: 1, client_id: 1, event_timestamp: -1, _id: -1 },
      name: EVENT_ORDERS.ofClient,
    },
    {
      key: { workspace_id: 1, pass_id: 1, event_timestamp: -1, _id: -1 },
      name: EVENT_ORDERS.ofPass,
    },
    {
      key: { workspace_id: 1, source: 1, event_timestamp: -1, _id: -1 },
      name: EVENT_ORDERS.ofCampaign,
      // Every other event is spared the write.
      partialFilterExpression: { source: OF_CAMPAIGN },
    },
    {
      key: { orphaned_at: 1 },
      name: 'orphaned',
      partialFilterExpression: { orphaned_at: { $exists: true } },
    },
  ],
};

/** An event as it is stored; what only some have is absent rather than null, for the partial indexes. */
export interface EventDocument extends Omit<TrailEvent, 'id' | 'external_id' | 'orphaned_at'> {
  _id: string;
  external_id?: string;
  orphaned_at?: Date;
}

export interface EventPage {
  events: TrailEvent[];
  total: number;
  nextCursor: string | null;
}

const NEWEST_FIRST: Sort = { column: 'event_timestamp', descending: true };

/** The trail: what happened to clients and passes. */
export function createEventStore(connection: Connection) {
  const events = connection.collection<EventDocument>(COLLECTION);
  const totals = createLongCounts<Date>({ keptMs: TOTAL_KEPT_MS });

  return {
    /** Fails as a duplicate key when an external_id is already there. */
    async insertAll(added: readonly TrailEvent[], session: Session): Promise<void> {
      if (added.length === 0) return;
      await events.insertMany(added.map(toDocument), { session });
      const settled = settledMoment();
      const older = added.filter(({ event_timestamp: at }) => at <= settled);
      const workspaceIds = new Set(older.map((event) => event.workspace_id));
      session.once('ended', () => workspaceIds.forEach(totals.forget));
    },

    async find(workspaceId: string, id: string): Promise<TrailEvent | null> {
      const document = await events.findOne({ _id: id, workspace_id: workspaceId });
      return document && fromDocument(document);
    },

    /** Those of the ids that are in the trail already. */
    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session: Session,
    ): Promise<Map<string, TrailEvent>> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const rows = await events.find(filter, { session }).toArray();
      return new Map(rows.map((row) => [row._id, fromDocument(row)]));
    },

    /** The workspace that an event belongs to, for routes that name only the event. */
    async workspaceOf(id: string): Promise<string | null> {
      const document = await events.findOne({ _id: id }, { projection: { workspace_id: 1 } });
      return document?.workspace_id ?? null;
    },

    /** Which of the passes have events, those that are gone among them. */
    async passesAmong(workspaceId: string, passIds: readonly string[]): Promise<Set<string>> {
      const filter = { workspace_id: workspaceId, pass_id: { $in: [...passIds] } };
      return new Set((await events.distinct('pass_id', filter)) as string[]);
    },

    async findByExternalIds(
      workspaceId: string,
      externalIds: readonly string[],
      session?: Session,
    ): Promise<Map<string, TrailEvent>> {
      if (externalIds.length === 0) return new Map();
      const filter = { workspace_id: workspaceId, external_id: { $in: [...externalIds] } };
      const documents = await events.find(filter, session ? { session } : {}).toArray();
      return new Map(documents.map((row) => [row.external_id!, fromDocument(row)]));
    },

    async list(workspaceId: string, filter: EventFilter, page: PageRequest): Promise<EventPage> {
      const matching = toFilter(workspaceId, filter);
      const [{ rows, nextCursor }, total] = await Promise.all([
        readPage(
          (part, { skip, limit }) =>
            events
              .find({ $and: [matching, part] }, along(filter))
              .sort(sortStages(NEWEST_FIRST))
              .skip(skip)
              .limit(limit)
              .toArray(),
          NEWEST_FIRST,
          page,
        ),
        totals.total({
          key: `${workspaceId} ${JSON.stringify(filter)}`,
          settled: settledMoment,
          count: (range, atMost) =>
            events.countDocuments(
              { $and: [matching, timeRange('event_timestamp', range)] },
              limitedTo(atMost),
            ),
        }),
      ]);
      return { events: rows.map(fromDocument), total, nextCursor };
    },

    /** What the profiles of clients are made of: each row, in no particular order, by client. */
    async toldOfClients(
      workspaceId: string,
      clientIds: readonly string[],
      session: Session,
    ): Promise<Map<string, Told[]>> {
      const rows = await events
        .find({ workspace_id: workspaceId, client_id: { $in: [...clientIds] } }, { session })
        .project<Omit<Told, 'id'> & { _id: string; client_id: string }>({
          client_id: 1,
          event_category: 1,
          event_type: 1,
          event_timestamp: 1,
          amount: 1,
          points_delta: 1,
          'metadata.role': 1,
          'metadata.points_ledger_id': 1,
        })
        .batchSize(EXPORT_BATCH)
        .toArray();
      const told = new Map<string, Told[]>(clientIds.map((id) => [id, []]));
      for (const { _id, client_id: clientId, ...row } of rows) {
        told.get(clientId)!.push({ id: _id, ...row, metadata: row.metadata ?? {} });
      }
      return told;
    },

    async *streamOfClient(workspaceId: string, clientId: string): AsyncIterable<TrailEvent> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      for await (const row of events.find(filter, { batchSize: EXPORT_BATCH }))
        yield fromDocument(row);
    },

    /** Deletes what belongs to the workspace and tells what that was. */
    async remove(
      workspaceId: string,
      ids: readonly string[],
      session: Session,
    ): Promise<TrailEvent[]> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const rows = await events.find(filter, { session }).toArray();
      await events.deleteMany(filter, { session });
      session.once('ended', () => totals.forget(workspaceId));
      return rows.map(fromDocument);
    },

    /**
     * Takes names and values out of a client's events. `orphanedAt` starts their retention. Resolves
     * when nothing is left to scrub; repeating it changes nothing.
     */
    async scrub(workspaceId: string, clientId: string, orphanedAt: Date | null): Promise<void> {
      const own = { workspace_id: workspaceId, client_id: clientId };
      const named = { ...own, client_name_snapshot: { $ne: ANONYMIZED_NAME } };
      const valued = {
        ...own,
        keeps_values: false,
        $or: [{ old_value: { $ne: null } }, { new_value: { $ne: null } }],
      };
      await inBatches(valued, { $set: { old_value: null, new_value: null } });
      await inBatches(named, { $set: { client_name_snapshot: ANONYMIZED_NAME } });
      if (orphanedAt)
        await inBatches(
          { ...own, orphaned_at: { $exists: false } },
          { $set: { orphaned_at: orphanedAt } },
        );
    },

    /** Moves a client's events to another client. Repeating it changes nothing. */
    async moveToClient(workspaceId: string, from: string, to: string): Promise<void> {
      await inBatches({ workspace_id: workspaceId, client_id: from }, { $set: { client_id: to } });
    },

    /** Deletes a batch of events orphaned before a moment; says how many it found. */
    async purgeOrphaned(before: Date, limit: number): Promise<number> {
      const due = { orphaned_at: { $exists: true, $lt: before } };
      const rows = await events
        .find(due, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      if (rows.length > 0) await events.deleteMany({ _id: { $in: rows.map((row) => row._id) } });
      return rows.length;
    },

    /** How many clients there are to whom any of these things happened, from a moment up to another. */
    async countActors(
      workspaceId: string,
      categories: readonly string[],
      from: Date,
      until: Date,
    ): Promise<number> {
      const [row] = await events
        .aggregate<{ count: number }>([
          {
            $match: {
              workspace_id: workspaceId,
              event_timestamp: { $gte: from, $lt: until },
              event_category: { $in: [...categories] },
              client_id: { $ne: null },
            },
          },
          { $group: { _id: '$client_id' } },
          { $count: 'count' },
        ])
        .toArray();
      return row?.count ?? 0;
    },

    aggregate<Row extends object>(pipeline: object[], session?: Session): Promise<Row[]> {
      return events.aggregate<Row>(pipeline, session ? { session } : {}).toArray();
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await deleteInPieces(connection, COLLECTION, { workspace_id: workspaceId });
      totals.forget(workspaceId);
    },
  };

  /** Each update must take its rows out of the filter; that is what ends the loop. */
  async function inBatches(filter: object, update: object): Promise<void> {
    for (;;) {
      const rows = await events
        .find(filter, { projection: { _id: 1 } })
        .limit(SCRUB_BATCH)
        .toArray();
      if (rows.length === 0) return;
      await events.updateMany({ _id: { $in: rows.map((row) => row._id) } }, update);
    }
  }
}

function toDocument({ id, external_id, orphaned_at, ...event }: TrailEvent): EventDocument {
  const document: EventDocument = { _id: id, ...event };
  if (external_id !== null) document.external_id = external_id;
  if (orphaned_at !== null) document.orphaned_at = orphaned_at;
  return document;
}

function fromDocument({ _id, external_id, orphaned_at, ...event }: EventDocument): TrailEvent {
  return {
    ...event,
    id: _id,
    // Events from before refunds were linked have neither.
    original_external_id: event.original_external_id ?? null,
    refund_link: event.refund_link ?? null,
    external_id: external_id ?? null,
    orphaned_at: orphaned_at ?? null,
  };
}

export type EventStore = ReturnType<typeof createEventStore>;
