import { type Connection, collection } from '@laurel/mongo';
import { createCatchUps, dueIndex } from '@laurel/work';
import type { StaffOperation } from '../domain/mobile/staff-operation';

const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;
const NEWEST = { at: -1, _id: -1 } as const;

export const staffOperations = collection<StaffOperationDocument>('staff_operations', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'moves',
    anonymized: 'stays: what staff did, beside an id',
    deleted: 'as anonymized',
    exported: 'shown',
  },
  growth: {
    per: 'act of staff on a pass',
    end: '400 days',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, ...NEWEST }, name: 'newest' },
    { key: { workspace_id: 1, mobile_user_id: 1, ...NEWEST }, name: 'of_user' },
    { key: { workspace_id: 1, session_id: 1, ...NEWEST }, name: 'of_device' },
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    dueIndex(),
  ],
});

interface StaffOperationDocument {
  _id: string;
  workspace_id: string;
  session_id: string;
  mobile_user_id: string | null;
  action_id: string;
  action_name: string;
  action_type: StaffOperation['actionType'];
  pass_id: string;
  client_id: string;
  effect: StaffOperation['effect'];
  /** Absent in rows of before it was kept. */
  event_id?: string | null;
  amount: number | null;
  wallet_type_code: string | null;
  currency: string | null;
  at: Date;
  occurred_at: Date | null;
  undone_by: string | null;
  undone_at: Date | null;
  expires_at: Date;
  /** Until its client was caught up with. */
  due_at?: Date;
}

export interface ActivityFilter {
  sessionId?: string | undefined;
  mobileUserId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
}
/** The last row of the page before. */
export interface After {
  at: Date;
  id: string;
}

/** What staff did on passes: kept so that a device can take it back, and an owner can see it. */
export function createStaffOperationStore(connection: Connection) {
  const rows = staffOperations.open(connection);
  const catchUps = createCatchUps(connection, staffOperations.collection);

  return {
    /** Operations on clients who may have departed meanwhile. */
    catchUps,

    /** Notes it once: repeating changes nothing. */
    async add(operation: StaffOperation): Promise<void> {
      const { _id, workspace_id, ...own } = toDocument(operation);
      const columns = { ...own, ...catchUps.columns(operation.at) };
      await rows.of(workspace_id).updateOne({ _id }, { $setOnInsert: columns }, { upsert: true });
    },

    async find(workspaceId: string, id: string): Promise<StaffOperation | null> {
      const row = await rows.of(workspaceId).findOne({ _id: id });
      return row && toOperation(row);
    },

    /** Notes that it was taken back, by which call; the first one stays. */
    async finishUndo(
      workspaceId: string,
      id: string,
      { by, now }: { by: string; now: Date },
    ): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne({ _id: id, undone_at: null }, { $set: { undone_by: by, undone_at: now } });
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      { sessionId, mobileUserId, from, until }: ActivityFilter,
      { limit, after }: { limit: number; after?: After | undefined },
    ): Promise<StaffOperation[]> {
      const span = { ...(from ? { $gte: from } : {}), ...(until ? { $lte: until } : {}) };
      const filter = {
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
        ...(mobileUserId === undefined ? {} : { mobile_user_id: mobileUserId }),
        ...(from || until ? { at: span } : {}),
      };
      const rest = after && {
        $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after.id } }],
      };
      const found = await rows
        .of(workspaceId)
        .find(rest ? { $and: [filter, rest] } : filter)
        .sort(NEWEST)
        .limit(limit)
        .toArray();
      return found.map(toOperation);
    },
  };
}

function toDocument(operation: StaffOperation): StaffOperationDocument {
  return {
    _id: operation.id,
    workspace_id: operation.workspaceId,
    session_id: operation.sessionId,
    mobile_user_id: operation.mobileUserId,
    action_id: operation.actionId,
    action_name: operation.actionName,
    action_type: operation.actionType,
    pass_id: operation.passId,
    client_id: operation.clientId,
    effect: operation.effect,
    event_id: operation.eventId,
    amount: operation.amount,
    wallet_type_code: operation.walletTypeCode,
    currency: operation.currency,
    at: operation.at,
    occurred_at: operation.occurredAt,
    undone_by: operation.undoneBy,
    undone_at: operation.undoneAt,
    expires_at: new Date(operation.at.getTime() + KEPT_DAYS * DAY_MS),
  };
}

/** What staff did, of its document. */
export function toOperation(row: StaffOperationDocument): StaffOperation {
  return {
    id: row._id,
    workspaceId: row.workspace_id,
    sessionId: row.session_id,
    mobileUserId: row.mobile_user_id,
    actionId: row.action_id,
    actionName: row.action_name,
    actionType: row.action_type,
    passId: row.pass_id,
    clientId: row.client_id,
    effect: row.effect,
    eventId: row.event_id ?? null,
    amount: row.amount,
    walletTypeCode: row.wallet_type_code,
    currency: row.currency,
    at: row.at,
    occurredAt: row.occurred_at,
    undoneBy: row.undone_by,
    undoneAt: row.undone_at,
  };
}
