import type { DeliveryReason, DeliveryStatus } from '@laurel/contract';
import { type Connection, collection, insertMissing, type Rows, type Session } from '@laurel/mongo';
import { type DeliveryResult, toUpdates } from './delivery-results';

const NEVER = new Date(0);
const STAYS = 'stays: ids alone, as long as its event; what was answered stands with its attempts';

/** One event on its way to one webhook. */
export interface DeliveryRow {
  _id: string;
  workspace_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /** Whom the event is about: deliveries about one subject keep their order. */
  subject: string;
  occurred_at: Date;
  status: DeliveryStatus;
  /** Why it is not with the receiver (`domain/decide-delivery.ts`); absent in rows of before that was kept. */
  reason?: DeliveryReason | null;
  attempts: number;
  /** Failed attempts in this round of the retry schedule. */
  failures: number;
  /** Grows when a retry or replay is asked for, so that an attempt still in flight does not end the new round. */
  round: number;
  response_status: number | null;
  last_error: string | null;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  /** The replay that last sent it again. */
  replay_id: string | null;
  expires_at: Date;
}

export const deliveries = collection<DeliveryRow>('webhook_deliveries', {
  tenant: 'workspace_id',
  person: {
    column: 'subject',
    merged: STAYS,
    anonymized: STAYS,
    deleted: 'as anonymized',
    exported: 'withheld: what is sent stands with its event',
  },
  growth: {
    per: 'event and webhook',
    end: 'RETENTION_WEBHOOK_EVENTS_DAYS (35)',
    shardKey: ['workspace_id', 'webhook_id', 'event_id'],
  },
  indexes: [
    { key: { workspace_id: 1, webhook_id: 1, event_id: 1 }, name: 'once_per_event', unique: true },
    { key: { workspace_id: 1, webhook_id: 1, _id: -1 }, name: 'newest' },
    {
      key: { workspace_id: 1, webhook_id: 1, _id: -1 },
      name: 'failed',
      partialFilterExpression: { status: 'failed' },
    },
    {
      // By when it is due: of an endpoint that is down, nearly all that is pending waits for its next try.
      key: { workspace_id: 1, webhook_id: 1, next_attempt_at: 1, occurred_at: 1, event_id: 1 },
      name: 'pending_by_due',
      partialFilterExpression: { status: 'pending' },
    },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
  retired: ['pending'],
});

export type NewDelivery = Pick<
  DeliveryRow,
  | '_id'
  | 'workspace_id'
  | 'webhook_id'
  | 'event_id'
  | 'event_type'
  | 'subject'
  | 'occurred_at'
  | 'expires_at'
>;

/** A delivery that is to be sent at once. */
export function pendingDelivery(
  fields: NewDelivery,
  now: Date,
  replayId: string | null = null,
): DeliveryRow {
  return {
    ...fields,
    status: 'pending',
    reason: null,
    attempts: 0,
    failures: 0,
    round: 0,
    response_status: null,
    last_error: null,
    next_attempt_at: now,
    delivered_at: null,
    replay_id: replayId,
  };
}

const DUE_FIELDS = {
  event_id: 1,
  event_type: 1,
  subject: 1,
  occurred_at: 1,
  failures: 1,
  round: 1,
} as const;
export type DueDelivery = Pick<
  DeliveryRow,
  '_id' | 'event_id' | 'event_type' | 'subject' | 'occurred_at' | 'failures' | 'round'
>;

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  /** Only those made before this one. */
  before?: string | undefined;
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

const pendingOf = (webhookId: string) => ({ webhook_id: webhookId, status: 'pending' }) as const;

/** The record of what was sent where, and what is still to be sent. */
export function createDeliveryStore(connection: Connection) {
  const rows = deliveries.open(connection);
  return {
    ...createDeliveryLists(rows),
    ...createWaitingDeliveries(rows),
    ...createRearming(rows),

    insert: (deliveries: DeliveryRow[], session: Session) =>
      rows.insertMany(deliveries, { session }),

    /** Adds those that are not there yet. Looks first: an insert that meets duplicates is dear. */
    async insertMissing(
      workspaceId: string,
      webhookId: string,
      deliveries: readonly DeliveryRow[],
    ): Promise<void> {
      const eventIds = deliveries.map(({ event_id }) => event_id);
      const found = await rows
        .of(workspaceId)
        .find(
          { webhook_id: webhookId, event_id: { $in: eventIds } },
          { projection: { event_id: 1 }, batchSize: 5_000 },
        )
        .toArray();
      const there = new Set(found.map(({ event_id }) => event_id));
      await insertMissing(
        rows,
        deliveries.filter(({ event_id }) => !there.has(event_id)),
      );
    },

    /** Writes results in bulk. Repeating it is harmless but for the count of attempts. */
    async record(results: readonly DeliveryResult[]): Promise<void> {
      if (results.length === 0) return;
      await rows.bulkWrite(toUpdates(results), { ordered: false });
    },

    /** Ends what waits for an endpoint that wants nothing more. A retry or replay begins anew. */
    failWaiting: (
      workspaceId: string,
      webhookId: string,
      { reason, error }: { reason: DeliveryReason; error: string },
    ) =>
      rows.of(workspaceId).updateMany(pendingOf(webhookId), {
        $set: { status: 'failed', reason, last_error: error, next_attempt_at: null },
      }),

    removeWebhook: (workspaceId: string, webhookId: string) =>
      rows.of(workspaceId).deleteMany({ webhook_id: webhookId }),
  };
}

function createDeliveryLists(rows: Rows<DeliveryRow>) {
  return {
    /** Of whichever webhook it is. */
    byId: (workspaceId: string, id: string) => rows.of(workspaceId).findOne({ _id: id }),

    get: (workspaceId: string, webhookId: string, id: string) =>
      rows.of(workspaceId).findOne({ _id: id, webhook_id: webhookId }),

    list: (
      workspaceId: string,
      webhookId: string,
      { status, eventType, before, limit }: DeliveryFilter & { limit: number },
    ) =>
      rows
        .of(workspaceId)
        .find({
          webhook_id: webhookId,
          ...(status === undefined ? {} : { status }),
          ...(eventType === undefined ? {} : { event_type: eventType }),
          ...(before === undefined ? {} : { _id: { $lt: before } }),
        })
        .sort({ workspace_id: -1, webhook_id: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}

/** What is still to be sent, and when. */
function createWaitingDeliveries(rows: Rows<DeliveryRow>) {
  return {
    /** What is to be sent now: what has been due for longest, and of that in the order in which it happened. */
    due: (
      workspaceId: string,
      webhookId: string,
      { now, limit }: { now: Date; limit: number },
    ): Promise<DueDelivery[]> =>
      rows
        .of(workspaceId)
        .find(
          { ...pendingOf(webhookId), next_attempt_at: { $lte: now } },
          { projection: DUE_FIELDS, batchSize: 5_000 },
        )
        .sort({ workspace_id: 1, webhook_id: 1, next_attempt_at: 1, occurred_at: 1, event_id: 1 })
        .limit(limit)
        .toArray(),

    /** When something is to be sent next; null when nothing is waiting. */
    async nextDueAt(workspaceId: string, webhookId: string): Promise<Date | null> {
      const next = await rows.of(workspaceId).findOne(pendingOf(webhookId), {
        sort: { workspace_id: 1, webhook_id: 1, next_attempt_at: 1 },
        projection: { next_attempt_at: 1 },
      });
      return next === null ? null : (next.next_attempt_at ?? NEVER);
    },

    /** Which of these webhooks have one of these events still to be sent. */
    async waitingFor(
      workspaceId: string,
      webhookIds: readonly string[],
      eventIds: readonly string[],
    ): Promise<string[]> {
      const filter = {
        webhook_id: { $in: [...webhookIds] },
        event_id: { $in: [...eventIds] },
        status: 'pending' as const,
      };
      const found = await rows
        .of(workspaceId)
        .find(filter, { projection: { webhook_id: 1 } })
        .toArray();
      return [...new Set(found.map((row) => row.webhook_id))];
    },
  };
}

const ANEW = { status: 'pending' as const, reason: null, failures: 0, delivered_at: null };

/** Sending again what was sent, or was given up. */
function createRearming(rows: Rows<DeliveryRow>) {
  return {
    /** Sends a delivery once more from the start of the schedule; the row after that, or null. */
    rearm: (workspaceId: string, webhookId: string, { id, now }: { id: string; now: Date }) =>
      rows.of(workspaceId).findOneAndUpdate(
        { _id: id, webhook_id: webhookId },
        {
          $set: { ...ANEW, next_attempt_at: now },
          $inc: { round: 1 },
        },
        { returnDocument: 'after' },
      ),

    /** As `rearm`, for those of the events that are not on their way already, those that wait for another try included; once per replay. */
    rearmFor: (
      workspaceId: string,
      webhookId: string,
      { eventIds, replayId, now }: { eventIds: readonly string[]; replayId: string; now: Date },
    ) =>
      rows.of(workspaceId).updateMany(
        {
          webhook_id: webhookId,
          event_id: { $in: [...eventIds] },
          $or: [{ status: { $ne: 'pending' } }, { next_attempt_at: { $gt: now } }],
          replay_id: { $ne: replayId },
        },
        {
          $set: { ...ANEW, next_attempt_at: now, replay_id: replayId },
          $inc: { round: 1 },
        },
      ),
  };
}
