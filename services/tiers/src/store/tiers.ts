import {
  type CollectionIndexes,
  type Connection,
  KEY_INDEX,
  refuseTakenKey,
  type Session,
  withoutMissingKey,
} from '@laurel/mongo';
import { compareTiers, type Tier } from '../domain/programme';
import { refusals } from '../refusals';

const COLLECTION = 'tiers';

export const tierIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, sort_order: 1 }, name: 'of_workspace' }, KEY_INDEX],
};

const keyTaken = () => refusals.keyTaken({ field: 'key' });

interface TierDocument extends Omit<Tier, 'id'> {
  _id: string;
}

/** Tiers of all workspaces. Whoever writes has claimed the tier set's revision in the same session. */
export function createTierStore(connection: Connection) {
  const tiers = connection.collection<TierDocument>(COLLECTION);
  const fromDocument = ({ _id, ...columns }: TierDocument): Tier => ({ id: _id, ...columns });

  return {
    /** Lowest first. */
    async list(workspaceId: string, session?: Session): Promise<Tier[]> {
      const rows = await tiers
        .find({ workspace_id: workspaceId }, session ? { session } : {})
        .toArray();
      return rows.map(fromDocument).sort(compareTiers);
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Tier | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      const document = await tiers.findOne(filter, session ? { session } : {});
      return document ? fromDocument(document) : null;
    },

    async insert({ id, ...columns }: Tier, session: Session): Promise<void> {
      const document = withoutMissingKey({ _id: id, ...columns });
      await refuseTakenKey(tiers.insertOne(document, { session }), keyTaken);
    },

    async replace({ id, ...columns }: Tier, session: Session): Promise<void> {
      const filter = { _id: id, workspace_id: columns.workspace_id };
      const written = tiers.replaceOne(filter, withoutMissingKey(columns), { session });
      await refuseTakenKey(written, keyTaken);
    },

    async remove({ id, workspace_id }: Tier, session: Session): Promise<void> {
      await tiers.deleteOne({ _id: id, workspace_id }, { session });
    },

    async removeWorkspace(workspaceId: string, session?: Session): Promise<void> {
      await tiers.deleteMany({ workspace_id: workspaceId }, session ? { session } : {});
    },
  };
}
