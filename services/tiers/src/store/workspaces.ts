import { type Connection, collection, type Session } from '@laurel/mongo';

interface WorkspaceDocument {
  _id: string;
  deleted_at: Date;
}

export const deletedWorkspaces = collection<WorkspaceDocument>('deleted_workspaces', {
  tenant: 'none: it outlives its workspace, to say that there was one',
  person: 'nobody',
  growth: {
    per: 'deleted workspace',
    end: 'stays: an old event may come again at any time',
    shardKey: 'whole',
  },
  indexes: [],
  retired: ['deleted_at'],
});

/** Workspaces that are gone: a late event must not bring anything of them back. */
export function createWorkspaceStore(connection: Connection) {
  const rows = deletedWorkspaces.open(connection).ofEverybody;

  return {
    async markDeleted(workspaceId: string, now: Date): Promise<void> {
      const filter = { _id: workspaceId };
      await rows.updateOne(filter, { $setOnInsert: { deleted_at: now } }, { upsert: true });
    },

    async deletedAmong(ids: readonly string[], session: Session): Promise<Set<string>> {
      const found = await rows.find({ _id: { $in: [...ids] } }, { session }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}
