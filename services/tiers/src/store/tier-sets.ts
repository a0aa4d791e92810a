import { requestNow } from '@laurel/lifecycle';
import { type Connection, collection, type Session, StaleWrite } from '@laurel/mongo';
import type { TierSet } from '../domain/programme';

interface TierSetDocument extends Omit<TierSet, 'id'> {
  _id: string;
  /** Moves with every change of the set or of one of its tiers, so that changes stand in line. */
  revision: number;
  /** Absent where nothing has changed since it was made, or since before this was noted. */
  changed_at?: Date;
}

export const tierSets = collection<TierSetDocument>('tier_sets', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'workspace',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'one_per_workspace', unique: true }],
});

export type StoredTierSet = TierSet & Pick<TierSetDocument, 'revision' | 'changed_at'>;

/** At most one tier set per workspace. */
export function createTierSetStore(connection: Connection) {
  const rows = tierSets.open(connection);

  return {
    async find(workspaceId: string, session?: Session): Promise<StoredTierSet | null> {
      const document = await rows.of(workspaceId).findOne({}, { session });
      if (!document) return null;
      const { _id, ...columns } = document;
      return { id: _id, ...columns };
    },

    /** Fails as a duplicate key when the workspace has one. */
    async insert({ id, ...columns }: TierSet, session: Session): Promise<void> {
      await rows.insertOne({ _id: id, ...columns, revision: 1 }, { session });
    },

    /** Writes the set, or only claims the right to change its tiers. Throws StaleWrite to who comes late. */
    async replace({ id, revision, ...columns }: StoredTierSet, session: Session): Promise<void> {
      const next = { ...columns, revision: revision + 1, changed_at: requestNow() };
      const { matchedCount } = await rows
        .of(columns.workspace_id)
        .replaceOne({ _id: id, revision }, next, { session });
      if (matchedCount === 0) throw new StaleWrite('the tier set');
    },

    async remove({ id, workspace_id, revision }: StoredTierSet, session: Session): Promise<void> {
      const { deletedCount } = await rows
        .of(workspace_id)
        .deleteOne({ _id: id, revision }, { session });
      if (deletedCount === 0) throw new StaleWrite('the tier set');
    },
  };
}
