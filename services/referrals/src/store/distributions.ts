import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'distributions';

interface DistributionDocument {
  _id: string;
  workspace_id: string;
  public_url: string | null;
  /** A deleted one stays as a mark, so that an old event cannot bring it back. */
  deleted: boolean;
  as_of: Date;
}

export const distributionIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
};

export interface Distribution {
  id: string;
  publicUrl: string | null;
}

/** What is known of the pages that share links lead to; fed by events of the passes service. */
export function createDistributionStore(connection: Connection) {
  const distributions = connection.collection<DistributionDocument>(COLLECTION);

  return {
    async find(workspaceId: string, id: string): Promise<Distribution | null> {
      const filter = { _id: id, workspace_id: workspaceId, deleted: false };
      const document = await distributions.findOne(filter);
      return document && { id: document._id, publicUrl: document.public_url };
    },

    /** Older news than what is known, and any about a deleted one, changes nothing. */
    async put(
      workspaceId: string,
      { id, publicUrl, deleted }: Distribution & { deleted: boolean },
      asOf: Date,
      session: Session,
    ): Promise<void> {
      const known = await distributions.findOne(
        { _id: id, workspace_id: workspaceId },
        { session },
      );
      if (known && (known.deleted || (!deleted && known.as_of >= asOf))) return;
      await distributions.updateOne(
        { _id: id, workspace_id: workspaceId },
        { $set: { public_url: publicUrl, deleted, as_of: asOf } },
        { upsert: true, session },
      );
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await distributions.deleteMany({ workspace_id: workspaceId });
    },
  };
}
