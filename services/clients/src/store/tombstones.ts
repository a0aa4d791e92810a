import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'tombstones';

export const tombstoneIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
};

/** What became of a client whose personal data must never be written again. */
export interface Tombstone {
  clientId: string;
  workspaceId: string;
  kind: 'anonymized' | 'deleted' | 'merged';
  /** The client that took over; only of a merged one. */
  mergedInto: string | null;
  at: Date;
}

interface TombstoneDocument {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  kind: Tombstone['kind'];
  merged_into: string | null;
  at: Date;
}

/** Kept as long as the workspace: an old event may be replayed at any time. */
export function createTombstoneStore(connection: Connection) {
  const tombstones = connection.collection<TombstoneDocument>(COLLECTION);

  return {
    async put({ clientId, workspaceId, ...rest }: Tombstone, session: Session): Promise<void> {
      const { kind, mergedInto, at } = rest;
      const document = { workspace_id: workspaceId, kind, merged_into: mergedInto, at };
      await tombstones.replaceOne({ _id: clientId }, document, { upsert: true, session });
    },

    async findMany(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<Map<string, Tombstone>> {
      const filter = { _id: { $in: [...clientIds] }, workspace_id: workspaceId };
      const rows = await tombstones.find(filter, session ? { session } : {}).toArray();
      return new Map(
        rows.map((row) => [
          row._id,
          {
            clientId: row._id,
            workspaceId: row.workspace_id,
            kind: row.kind,
            mergedInto: row.merged_into,
            at: row.at,
          },
        ]),
      );
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await tombstones.deleteMany({ workspace_id: workspaceId });
    },
  };
}
