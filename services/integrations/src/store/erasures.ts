import type { CollectionIndexes, Connection } from '@laurel/mongo';

const COLLECTION = 'erasures';

/** Remembers for a while that a person was erased, so that events arriving late do not bring them back. */
export interface ErasureRow {
  /** `<workspace id>:<client id>`. */
  _id: string;
  workspace_id: string;
  expires_at: Date;
}

export const erasureIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { workspace_id: 1 }, name: 'workspace' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
};

export const erasureKey = (workspaceId: string, clientId: string): string =>
  `${workspaceId}:${clientId}`;

export function createErasureStore(connection: Connection) {
  const rows = connection.collection<ErasureRow>(COLLECTION);

  return {
    note: (workspaceId: string, clientId: string, expiresAt: Date) =>
      rows.updateOne(
        { _id: erasureKey(workspaceId, clientId) },
        { $set: { workspace_id: workspaceId, expires_at: expiresAt } },
        { upsert: true },
      ),

    /** Those of the keys that are noted. */
    async among(keys: readonly string[]): Promise<Set<string>> {
      const found = await rows
        .find({ _id: { $in: [...keys] } }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    removeWorkspace: (workspaceId: string) => rows.deleteMany({ workspace_id: workspaceId }),
  };
}
