import {
  type Connection,
  collection,
  createLongCounts,
  limitedTo,
  onEnded,
  type Session,
} from '@laurel/mongo';
import type { TrailEvent } from '../domain/trail-event';
import { createClientTrail } from './client-trail';
import { type EventDocument, fromDocument, toDocument } from './event-document';
import { createEventErasure } from './event-erasure';
import { along, EVENT_ORDERS, type EventFilter, OF_CAMPAIGN, toFilter } from './event-queries';
import { type PageRequest, readPage, type Sort } from './page';
import { settledMoment, TOTAL_KEPT_MS, timeRange } from './totals';

const EXPORT_BATCH = 10_000;

/** The trail: what happened to clients and passes. */
export const events = collection<EventDocument>('events', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    // A client may have very many, and each step about it is done again until it is through.
    merged: 'by hand: use-cases/run-process.ts',
    anonymized: 'by hand: use-cases/run-process.ts',
    deleted: 'as anonymized',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'event',
    end: 'stays: listed for ever; of a deleted client RETENTION_ORPHANED_CLIENT_EVENTS_DAYS',
    shardKey: ['workspace_id', 'client_id'],
    wayOut: {
      external_id_unique:
        'a slot: a document whose `_id` is the digest of what must be one, taken before the row (the external id); events without a client take their own id',
    },
  },
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
});

export interface EventPage {
  events: TrailEvent[];
  total: number;
  nextCursor: string | null;
}

/** Which events are put together, and how. */
export interface Aggregation {
  matching: object;
  stages: readonly object[];
}

const NEWEST_FIRST: Sort = { column: 'event_timestamp', descending: true };

type EventRows = ReturnType<typeof events.open>;
type Totals = ReturnType<typeof createLongCounts<Date>>;

/** The trail: what comes in, what is found and counted in it, and how it is erased. */
export function createEventStore(connection: Connection) {
  const rows = events.open(connection);
  const totals = createLongCounts<Date>({ keptMs: TOTAL_KEPT_MS });
  return {
    ...changes(rows, totals),
    ...createClientTrail(rows),
    ...createEventErasure(rows),
    ...eventsByName(rows),
    ...lists(rows, totals),
    ...eventsOfClients(rows),
  };
}

export type EventStore = ReturnType<typeof createEventStore>;

function changes(rows: EventRows, totals: Totals) {
  return {
    /** Fails as a duplicate key when an external_id is already there. */
    async insertAll(added: readonly TrailEvent[], session: Session): Promise<void> {
      if (added.length === 0) return;
      await rows.insertMany(added.map(toDocument), { session });
      const settled = settledMoment();
      const older = added.filter(({ event_timestamp: at }) => at <= settled);
      const workspaceIds = new Set(older.map((event) => event.workspace_id));
      onEnded(session, () => workspaceIds.forEach(totals.forget));
    },

    /** Deletes what belongs to the workspace and tells what that was. */
    async remove(
      workspaceId: string,
      ids: readonly string[],
      session: Session,
    ): Promise<TrailEvent[]> {
      const own = rows.of(workspaceId);
      const those = { _id: { $in: [...ids] } };
      const gone = await own.find(those, { session }).toArray();
      await own.deleteMany(those, { session });
      onEnded(session, () => totals.forget(workspaceId));
      return gone.map(fromDocument);
    },

    /** Drops what is remembered of a workspace that is no more. */
    forgetTotals: totals.forget,
  };
}

/** Events by what names them. */
function eventsByName(rows: EventRows) {
  return {
    async find(workspaceId: string, id: string): Promise<TrailEvent | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id });
      return document && fromDocument(document);
    },

    /** Those of the ids that are in the trail already. */
    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session: Session,
    ): Promise<Map<string, TrailEvent>> {
      const known = rows.of(workspaceId).find({ _id: { $in: [...ids] } }, { session });
      return new Map((await known.toArray()).map((row) => [row._id, fromDocument(row)]));
    },

    /** The workspace that an event belongs to, for routes that name only the event. */
    async workspaceOf(id: string): Promise<string | null> {
      const projection = { workspace_id: 1 };
      return (await rows.ofEverybody.findOne({ _id: id }, { projection }))?.workspace_id ?? null;
    },

    /** Which of the passes have events, those that are gone among them. */
    async passesAmong(workspaceId: string, passIds: readonly string[]): Promise<Set<string>> {
      const told = await rows
        .of(workspaceId)
        .distinct('pass_id', { pass_id: { $in: [...passIds] } });
      return new Set(told as string[]);
    },

    async findByExternalIds(
      workspaceId: string,
      externalIds: readonly string[],
      session?: Session,
    ): Promise<Map<string, TrailEvent>> {
      if (externalIds.length === 0) return new Map();
      const filter = { external_id: { $in: [...externalIds] } };
      const known = await rows.of(workspaceId).find(filter, { session }).toArray();
      return new Map(known.map((row) => [row.external_id!, fromDocument(row)]));
    },
  };
}

function lists(rows: EventRows, totals: Totals) {
  return {
    async list(workspaceId: string, filter: EventFilter, page: PageRequest): Promise<EventPage> {
      const own = rows.of(workspaceId);
      const matching = toFilter(filter);
      const [{ rows: found, nextCursor }, total] = await Promise.all([
        readPage(
          { find: (part) => own.find({ $and: [matching, part] }, along(filter)) },
          NEWEST_FIRST,
          page,
        ),
        totals.total({
          key: `${workspaceId} ${JSON.stringify(filter)}`,
          settled: settledMoment,
          count: (range, atMost) =>
            own.count({ $and: [matching, timeRange('event_timestamp', range)] }, limitedTo(atMost)),
        }),
      ]);
      return { events: found.map(fromDocument), total, nextCursor };
    },

    aggregate<Row extends object>(
      workspaceId: string,
      { matching, stages }: Aggregation,
      session?: Session,
    ): Promise<Row[]> {
      return rows.of(workspaceId).aggregate<Row>(matching, stages, { session }).toArray();
    },
  };
}

/** Events by whose they are. */
function eventsOfClients(rows: EventRows) {
  return {
    async *streamOfClient(workspaceId: string, clientId: string): AsyncIterable<TrailEvent> {
      const options = { batchSize: EXPORT_BATCH };
      for await (const row of rows.of(workspaceId).find({ client_id: clientId }, options))
        yield fromDocument(row);
    },

    /**
     * How many clients there are who did any of these things, from a moment up to another. What a campaign did to them is
     * none, and a refund is no visit.
     */
    async countActors(
      workspaceId: string,
      categories: readonly string[],
      { from, until }: { from: Date; until: Date },
    ): Promise<number> {
      const acted = {
        event_timestamp: { $gte: from, $lt: until },
        event_category: { $in: categories as EventDocument['event_category'][] },
        client_id: { $ne: null },
        $nor: [
          { source: OF_CAMPAIGN },
          { event_category: 'transaction' as const, event_type: 'refund' },
        ],
      };
      const [row] = await rows
        .of(workspaceId)
        .aggregate<{ count: number }>(acted, [
          { $group: { _id: '$client_id' } },
          { $count: 'count' },
        ])
        .toArray();
      return row?.count ?? 0;
    },
  };
}
