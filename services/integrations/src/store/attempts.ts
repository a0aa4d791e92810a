import { type Connection, collection, type Erasure, insertMissing, type Unit } from '@laurel/mongo';
import { endsErased, erasedUntil } from '../domain/retention';

/** Of one delivery, retries by hand included, at most so many are shown. */
const SHOWN_MAX = 100;

/** One request that was made for a delivery, and what came of it. */
export interface AttemptRow {
  _id: string;
  workspace_id: string;
  webhook_id: string;
  delivery_id: string;
  /** Whom the event was about: what a receiver answers may tell of them. */
  subject: string;
  at: Date;
  duration_ms: number;
  /** Null when no answer came. */
  response_status: number | null;
  /** The beginning of the answer; null when none came. */
  response: string | null;
  /** Null exactly when the receiver took it. */
  error: string | null;
  expires_at: Date;
}

export const attempts = collection<AttemptRow>('webhook_attempts', {
  tenant: 'workspace_id',
  person: {
    column: 'subject',
    merged: 'moves',
    anonymized: erase,
    deleted: 'as anonymized',
    exported: 'withheld: answers of receivers, not of this platform',
  },
  growth: {
    per: 'attempt',
    end: 'RETENTION_WEBHOOK_EVENTS_DAYS (35)',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, webhook_id: 1, delivery_id: 1, _id: -1 }, name: 'of_delivery' },
    { key: { workspace_id: 1, subject: 1 }, name: 'subject' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
});

export type AttemptStore = ReturnType<typeof createAttemptStore>;

/** What was tried, request by request. */
export function createAttemptStore(connection: Connection) {
  const rows = attempts.open(connection);

  return {
    /** Adds those that are not there yet: their writer may have to do it twice. */
    insertMissing: (attempts: readonly AttemptRow[]) => insertMissing(rows, attempts),

    /** Newest first. */
    ofDelivery: (workspaceId: string, webhookId: string, deliveryId: string) =>
      rows
        .of(workspaceId)
        .find({ webhook_id: webhookId, delivery_id: deliveryId })
        .sort({ workspace_id: -1, webhook_id: -1, delivery_id: -1, _id: -1 })
        .limit(SHOWN_MAX)
        .toArray(),

    /** Whom attempts are about that stand under names of before, or have an answer about somebody who was erased. */
    async leftBehind(
      workspaceId: string,
      { former, erased }: { former: readonly string[]; erased: readonly string[] },
    ): Promise<string[]> {
      const underFormerName = { subject: { $in: [...former] } };
      const tellsOfErased = { subject: { $in: [...erased] }, response: { $ne: null } };
      const found = await rows
        .of(workspaceId)
        .find({ $or: [underFormerName, tellsOfErased] }, { projection: { subject: 1 } })
        .toArray();
      return [...new Set(found.map(({ subject }) => subject))];
    },

    removeWebhook: (workspaceId: string, webhookId: string) =>
      rows.of(workspaceId).deleteMany({ webhook_id: webhookId }),
  };
}

/** The row as an erasure that came first would have left it. */
export function attemptAfterErasure(row: AttemptRow): AttemptRow {
  return { ...row, response: null, expires_at: endsErased(row.expires_at, new Date()) };
}

/** Takes out what was answered about a person, and lets the attempts go soon. */
async function erase({ rows, session }: Unit<AttemptRow>, { clientId }: Erasure): Promise<void> {
  const soon = { $set: { response: null }, $min: { expires_at: erasedUntil(new Date()) } };
  await rows.updateMany({ subject: clientId }, soon, { session });
}
