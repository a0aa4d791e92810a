import type { Json } from '@laurel/errors';
import {
  type Connection,
  collection,
  deletePiece,
  isDuplicateKey,
  type Session,
} from '@laurel/mongo';

export interface AuditRow {
  _id: string;
  workspace_id: string;
  actor: { type: string; id: string | null; email: string | null };
  action: string;
  entity: string;
  entity_id: string | null;
  request_id: string;
  at: Date;
  /** Names of what changed. */
  changes: string[];
  /** From what to what, of what a workspace is set up with; rows of before they were kept have none. */
  values?: { name: string; from: Json; to: Json }[];
  /** Whose points, reward or card it was. */
  client_id?: string | null;
}

export interface AuditQuery {
  actorId?: string | undefined;
  action?: string | undefined;
  entity?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  after?: { at: Date; id: string } | undefined;
  limit: number;
}

export const auditLog = collection<AuditRow>('audit_log', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'stays: what happened, and to whom it happened then',
    anonymized: 'stays: ids, and names of fields without their values',
    deleted: 'as anonymized',
    exported: 'withheld: what staff did',
  },
  growth: {
    per: 'change by staff or an API token',
    end: 'RETENTION_AUDIT_LOG_DAYS (730)',
    shardKey: ['workspace_id', 'at'],
  },
  indexes: [
    { key: { workspace_id: 1, at: -1, _id: -1 }, name: 'newest' },
    { key: { at: 1 }, name: 'at' },
  ],
});

/** A bulk write goes by its first fault alone: a row that the store would not take must not hide behind a repeat. */
function areAllDuplicates(error: unknown): boolean {
  const { writeErrors = [] } = error as { writeErrors?: readonly unknown[] };
  return isDuplicateKey(error) && [writeErrors].flat().every((each) => isDuplicateKey(each));
}

export function createAuditStore(connection: Connection) {
  const rows = auditLog.open(connection);
  return {
    /** Harmless when repeated: the ids are the writer's, and what is there already is left as it is. */
    async insertMany(batch: readonly AuditRow[]): Promise<void> {
      if (batch.length === 0) return;
      try {
        await rows.insertMany(batch, { ordered: false });
      } catch (error) {
        if (!areAllDuplicates(error)) throw error;
      }
    },

    /** Writes an entry in the transaction of the change that it tells of. */
    async append(row: AuditRow, session: Session): Promise<void> {
      await rows.insertOne(row, { session });
    },

    /** Newest first, one row more than asked so that the caller knows whether the list goes on. */
    list: (workspaceId: string, query: AuditQuery): Promise<AuditRow[]> => {
      // Also behind a cursor, whose alternatives no index is found by.
      const until = earlier(query.until, query.after?.at);
      const at = {
        ...(query.from === undefined ? {} : { $gte: query.from }),
        ...(until === undefined ? {} : { $lte: until }),
      };
      const filter = {
        ...(query.actorId === undefined ? {} : { 'actor.id': query.actorId }),
        ...(query.action === undefined ? {} : { action: query.action }),
        ...(query.entity === undefined ? {} : { entity: query.entity }),
        ...(Object.keys(at).length === 0 ? {} : { at }),
        ...(query.after === undefined
          ? {}
          : {
              $or: [
                { at: { $lt: query.after.at } },
                { at: query.after.at, _id: { $lt: query.after.id } },
              ],
            }),
      };
      return rows
        .of(workspaceId)
        .find(filter)
        .sort({ at: -1, _id: -1 })
        .limit(query.limit + 1)
        .toArray();
    },

    /** Takes entries back. */
    async removeMany(workspaceId: string, ids: readonly string[]): Promise<void> {
      await rows.of(workspaceId).deleteMany({ _id: { $in: [...ids] } });
    },

    /** Removes some of what is older, and says whether more is left. */
    removeBefore: (moment: Date) =>
      deletePiece(connection, auditLog.collection, { at: { $lt: moment } }),
  };
}

/** The earlier of two times, either of which may be open. */
function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
