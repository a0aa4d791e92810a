import { type CollectionIndexes, type Connection, type Session, StaleWrite } from '@laurel/mongo';
import type { TierSet } from '../domain/programme';

const COLLECTION = 'tier_sets';

export const tierSetIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1 }, name: 'one_per_workspace', unique: true }],
};

interface TierSetDocument extends Omit<TierSet, 'id'> {
  _id: string;
  /** Moves with every change of the set or of one of its tiers, so that changes stand in line. */
  revision: number;
}

export type StoredTierSet = TierSet & { revision: number };

/** At most one tier set per workspace. */
export function createTierSetStore(connection: Connection) {
  const sets = connection.collection<TierSetDocument>(COLLECTION);

  return {
    async find(workspaceId: string, session?: Session): Promise<StoredTierSet | null> {
      const document = await sets.findOne(
        { workspace_id: workspaceId },
        session ? { session } : {},
      );
      if (!document) return null;
      const { _id, ...columns } = document;
      return { id: _id, ...columns };
    },

    /** Fails as a duplicate key when the workspace has one. */
    async insert({ id, ...columns }: TierSet, session: Session): Promise<void> {
      await sets.insertOne({ _id: id, ...columns, revision: 1 }, { session });
    },

    /** Writes the set, or only claims the right to change its tiers. Throws StaleWrite to who comes late. */
    async replace({ id, revision, ...columns }: StoredTierSet, session: Session): Promise<void> {
      const filter = { _id: id, workspace_id: columns.workspace_id, revision };
      const next = { ...columns, revision: revision + 1 };
      const { matchedCount } = await sets.replaceOne(filter, next, { session });
      if (matchedCount === 0) throw new StaleWrite('the tier set');
    },

    async remove({ id, workspace_id, revision }: StoredTierSet, session: Session): Promise<void> {
      const { deletedCount } = await sets.deleteOne(
        { _id: id, workspace_id, revision },
        { session },
      );
      if (deletedCount === 0) throw new StaleWrite('the tier set');
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await sets.deleteMany({ workspace_id: workspaceId });
    },
  };
}
