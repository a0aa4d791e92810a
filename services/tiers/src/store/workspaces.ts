import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'deleted_workspaces';

export const workspaceIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { deleted_at: 1 }, name: 'deleted_at' }],
};

interface WorkspaceDocument {
  _id: string;
  deleted_at: Date;
}

/** Workspaces that are gone: a late event must not bring anything of them back. */
export function createWorkspaceStore(connection: Connection) {
  const workspaces = connection.collection<WorkspaceDocument>(COLLECTION);

  return {
    async markDeleted(workspaceId: string, now: Date): Promise<void> {
      const filter = { _id: workspaceId };
      await workspaces.updateOne(filter, { $setOnInsert: { deleted_at: now } }, { upsert: true });
    },

    async deletedAmong(ids: readonly string[], session: Session): Promise<Set<string>> {
      const rows = await workspaces.find({ _id: { $in: [...ids] } }, { session }).toArray();
      return new Set(rows.map(({ _id }) => _id));
    },

    async deletedSince(moment: Date): Promise<string[]> {
      const rows = await workspaces.find({ deleted_at: { $gte: moment } }).toArray();
      return rows.map(({ _id }) => _id);
    },
  };
}
