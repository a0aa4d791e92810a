import { requestNow } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  KEY_INDEX,
  refuseTakenKey,
  type Session,
  withoutMissingKey,
} from '@laurel/mongo';
import { compareTiers, type Tier } from '../domain/programme';
import { refusals } from '../refusals';

const keyTaken = () => refusals.keyTaken({ field: 'key' });

interface TierDocument extends Omit<Tier, 'id'> {
  _id: string;
}

export const tiers = collection<TierDocument>('tiers', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'tier',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1, sort_order: 1 }, name: 'of_workspace' }, KEY_INDEX],
});

/** Tiers of all workspaces. A writer has claimed the tier set's revision in the same session. */
export function createTierStore(connection: Connection) {
  const rows = tiers.open(connection);
  const fromDocument = ({ _id, ...columns }: TierDocument): Tier => ({ id: _id, ...columns });

  return {
    /** Lowest first. */
    async list(workspaceId: string, session?: Session): Promise<Tier[]> {
      const found = await rows.of(workspaceId).find({}, { session }).toArray();
      return found.map(fromDocument).sort(compareTiers);
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Tier | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document ? fromDocument(document) : null;
    },

    async insert({ id, ...columns }: Tier, session: Session): Promise<void> {
      const document = withoutMissingKey({ _id: id, ...columns });
      await refuseTakenKey(rows.insertOne(document, { session }), keyTaken);
    },

    /** Writes the next revision, and gives it back. */
    async replace(tier: Tier, session: Session): Promise<Tier> {
      const next = { ...tier, revision: (tier.revision ?? 0) + 1, changed_at: requestNow() };
      const { id, ...columns } = next;
      const own = rows.of(columns.workspace_id);
      const written = own.replaceOne({ _id: id }, withoutMissingKey(columns), { session });
      await refuseTakenKey(written, keyTaken);
      return next;
    },

    async remove({ id, workspace_id }: Tier, session: Session): Promise<void> {
      await rows.of(workspace_id).deleteOne({ _id: id }, { session });
    },

    async removeAll(workspaceId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({}, { session });
    },
  };
}
