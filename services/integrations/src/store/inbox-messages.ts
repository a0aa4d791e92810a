import type { InboxMessageStatus, InboxOutcome } from '@laurel/contract';
import {
  type Connection,
  collection,
  deleteInPieces,
  type Rows,
  type Session,
} from '@laurel/mongo';
import { createDue, type Due, dueIndex } from '@laurel/work';

/** What a sender posted, exactly as it came. */
export interface MessageRow {
  _id: string;
  workspace_id: string;
  provider: string;
  inbox_id: string;
  body: string;
  headers: Record<string, string>;
  status: InboxMessageStatus;
  attempts: number;
  last_error: string | null;
  received_at: Date;
  processed_at: Date | null;
  failed_at: Date | null;
  client_id: string | null;
  outcome: InboxOutcome | null;
  /** linked, not_found or exceeds; absent but for refunds that name a sale. */
  refund_link?: string;
  /** Since when a refund has been looking for its sale, without anything else that kept it meanwhile. */
  sale_awaited_since?: Date;
  /** When it is to be worked on: also the end of the lease of the replica that does. Absent once it is done. */
  due_at?: Date;
  lease?: string;
  expires_at: Date;
}

/** A message in the hands of one worker. */
export type LeasedMessage = MessageRow & { lease: string };

export const messages = collection<MessageRow>('inbox_messages', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'moves',
    anonymized: 'goes',
    deleted: 'goes',
    exported: 'shown',
  },
  growth: {
    per: 'message that came in',
    end: 'RETENTION_INBOX_MESSAGES_DAYS (30)',
    shardKey: 'hashed _id',
  },
  indexes: [
    dueIndex(),
    { key: { workspace_id: 1, inbox_id: 1, _id: -1 }, name: 'newest' },
    { key: { workspace_id: 1, inbox_id: 1, status: 1 }, name: 'status' },
    {
      key: { workspace_id: 1, inbox_id: 1, failed_at: -1 },
      name: 'failed',
      partialFilterExpression: { status: 'failed' },
    },
    { key: { workspace_id: 1, client_id: 1 }, name: 'client' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
});

/** What became of a message. */
export interface ProcessedMessage {
  outcome: InboxOutcome;
  refundLink: string | null;
}

export interface MessagePostponement {
  until: Date;
  error: string | null;
  /** Whether the attempt is one of the message's own. */
  counts: boolean;
  /** Since when it waits for its sale; absent where it waits for something else. */
  saleAwaited?: Date;
}

export interface MessageFilter {
  status?: InboxMessageStatus | undefined;
  /** Only those received before this one. */
  before?: string | undefined;
}

export function createInboxMessageStore(connection: Connection) {
  const rows = messages.open(connection);
  const due = createDue<MessageRow, LeasedMessage>(connection, messages.collection, {
    onClaim: { $set: { status: 'leased' }, $inc: { attempts: 1 } },
    read: (row) => row,
  });

  return {
    /** Messages to be processed. */
    due,

    ...createMessageLists(rows),
    ...createMessageCounts(rows),
    ...createEndings(rows, due),

    insert: (row: MessageRow) => rows.insertOne(row),

    /** Starts a failed one afresh; null when it is not failed. */
    rearm: (
      workspaceId: string,
      inboxId: string,
      { id, now, session }: { id: string; now: Date; session: Session },
    ) =>
      rows.of(workspaceId).findOneAndUpdate(
        { _id: id, inbox_id: inboxId, status: 'failed' },
        {
          $set: { status: 'pending', attempts: 0, due_at: now },
          $unset: { sale_awaited_since: '' },
        },
        { session, returnDocument: 'after' },
      ),

    /** What waits is worked on now: what it waited for may be there. */
    wake: (workspaceId: string, inboxId: string, now: Date) =>
      rows
        .of(workspaceId)
        .updateMany(
          { inbox_id: inboxId, status: 'pending', due_at: { $gt: now } },
          { $set: { due_at: now } },
        ),

    /** Removes what came into an inbox that is no more. */
    removeInbox: (workspaceId: string, inboxId: string): Promise<void> =>
      deleteInPieces(connection, messages.collection, {
        workspace_id: workspaceId,
        inbox_id: inboxId,
      }),
  };
}

function createMessageLists(rows: Rows<MessageRow>) {
  return {
    get: (workspaceId: string, inboxId: string, id: string) =>
      rows.of(workspaceId).findOne({ _id: id, inbox_id: inboxId }),

    /** Without what was sent, which may be a MiB each. */
    list: (
      workspaceId: string,
      inboxId: string,
      { status, before, limit }: MessageFilter & { limit: number },
    ) =>
      rows
        .of(workspaceId)
        .find(
          {
            inbox_id: inboxId,
            ...(status === undefined ? {} : { status }),
            ...(before === undefined ? {} : { _id: { $lt: before } }),
          },
          { projection: { body: 0, headers: 0 } },
        )
        .sort({ workspace_id: -1, inbox_id: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}

/** The health of an inbox in numbers. */
function createMessageCounts(rows: Rows<MessageRow>) {
  return {
    count: (workspaceId: string, inboxId: string, status: InboxMessageStatus) =>
      rows.of(workspaceId).count({ inbox_id: inboxId, status }),

    countProcessedSince: (workspaceId: string, inboxId: string, since: Date) =>
      rows
        .of(workspaceId)
        .count({ inbox_id: inboxId, status: 'processed', processed_at: { $gte: since } }),

    lastFailed: (workspaceId: string, inboxId: string) =>
      rows.of(workspaceId).findOne(
        { inbox_id: inboxId, status: 'failed' },
        {
          sort: { workspace_id: 1, inbox_id: 1, failed_at: -1 },
          projection: { body: 0, headers: 0 },
        },
      ),
  };
}

/** What becomes of a message in the hands of one worker. */
function createEndings(rows: Rows<MessageRow>, due: Due<LeasedMessage>) {
  const held = ({ _id, lease }: LeasedMessage) => ({ id: _id, lease });

  return {
    /** From here on it goes where its client goes. */
    noteClient: ({ _id, workspace_id, lease }: LeasedMessage, clientId: string) =>
      rows.of(workspace_id).updateOne({ _id, lease }, { $set: { client_id: clientId } }),

    complete: (
      message: LeasedMessage,
      { outcome, refundLink, now }: ProcessedMessage & { now: Date },
    ) =>
      due.finish(held(message), {
        $set: {
          status: 'processed',
          outcome,
          ...(refundLink === null ? {} : { refund_link: refundLink }),
          processed_at: now,
          last_error: null,
        },
      }),

    /** Gives it back until later. */
    postpone: (
      message: LeasedMessage,
      { until, error, counts, saleAwaited }: MessagePostponement,
    ) => {
      const waiting = { status: 'pending', last_error: error };
      return due.postpone(held(message), until, {
        ...(saleAwaited
          ? { $set: { ...waiting, sale_awaited_since: saleAwaited } }
          : { $set: waiting, $unset: { sale_awaited_since: '' as const } }),
        ...(counts ? {} : { $inc: { attempts: -1 } }),
      });
    },

    fail: (message: LeasedMessage, { error, now }: { error: string; now: Date }) =>
      due.finish(held(message), {
        $set: { status: 'failed', last_error: error, failed_at: now },
      }),

    drop: ({ _id, workspace_id, lease }: LeasedMessage) =>
      rows.of(workspace_id).deleteOne({ _id, lease }),
  };
}
