import {
  type CollectionIndexes,
  type Connection,
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
  /** Names of what changed; the values are nobody's business here. */
  changes: string[];
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

export const auditIndexes: CollectionIndexes = {
  collection: 'audit_log',
  indexes: [
    { key: { workspace_id: 1, at: -1, _id: -1 }, name: 'newest' },
    { key: { at: 1 }, name: 'at' },
  ],
};

const REMOVED_AT_ONCE = 5_000;

/** A bulk write goes by its first fault alone: a row that the store would not take must not hide behind a repeat. */
function areAllDuplicates(error: unknown): boolean {
  const { writeErrors = [] } = error as { writeErrors?: readonly unknown[] };
  return isDuplicateKey(error) && [writeErrors].flat().every((each) => isDuplicateKey(each));
}

export function createAuditStore(connection: Connection) {
  const rows = connection.collection<AuditRow>('audit_log');
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
      const at = {
        ...(query.from === undefined ? {} : { $gte: query.from }),
        ...(query.until === undefined ? {} : { $lte: query.until }),
      };
      const filter = {
        workspace_id: workspaceId,
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
        .find(filter)
        .sort({ at: -1, _id: -1 })
        .limit(query.limit + 1)
        .toArray();
    },

    /** Removes a workspace's log piece by piece; false when more is left. */
    removeSome: (workspaceId: string) => removeSome({ workspace_id: workspaceId }),
    removeBefore: (moment: Date) => removeSome({ at: { $lt: moment } }),
  };

  async function removeSome(
    filter: { workspace_id: string } | { at: { $lt: Date } },
  ): Promise<boolean> {
    const some = await rows.find(filter).project({ _id: 1 }).limit(REMOVED_AT_ONCE).toArray();
    await rows.deleteMany({ _id: { $in: some.map((row) => String(row._id)) } });
    return some.length < REMOVED_AT_ONCE;
  }
}

export type AuditStore = ReturnType<typeof createAuditStore>;
