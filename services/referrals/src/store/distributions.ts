import { type Connection, collection, type Session } from '@laurel/mongo';
import { isLater, type Position, takenOver } from '@laurel/values/position';

interface DistributionDocument {
  _id: string;
  workspace_id: string;
  public_url: string | null;
  /** A deleted one stays as a mark, so that an old event cannot bring it back. */
  deleted: boolean;
  as_of: Date;
  /** How often it had been written by then; null where that was not said, absent in rows of earlier releases. */
  revision?: number | null;
}

export const distributions = collection<DistributionDocument>('distributions', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'distribution',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

export interface Distribution {
  id: string;
  publicUrl: string | null;
}

/** What an event says of a distribution, and when it was said. */
export interface DistributionNews extends Distribution {
  deleted: boolean;
  asOf: Position;
}

/** What is known of the pages that share links lead to; fed by events of the passes service. */
export function createDistributionStore(connection: Connection) {
  const rows = distributions.open(connection);

  return {
    async find(workspaceId: string, id: string): Promise<Distribution | null> {
      const filter = { _id: id, deleted: false };
      const document = await rows.of(workspaceId).findOne(filter);
      return document && { id: document._id, publicUrl: document.public_url };
    },

    /** Older news than what is known, and any about a deleted one, changes nothing. */
    async put(
      workspaceId: string,
      { id, publicUrl, deleted, asOf }: DistributionNews,
      session: Session,
    ): Promise<void> {
      const known = await rows.of(workspaceId).findOne({ _id: id }, { session });
      const knownAsOf = known && { at: known.as_of, revision: known.revision ?? null };
      if (known?.deleted || !(deleted || isLater(asOf, knownAsOf))) return;
      const { at: as_of, revision } = takenOver(asOf, knownAsOf);
      await rows
        .of(workspaceId)
        .updateOne(
          { _id: id },
          { $set: { public_url: publicUrl, deleted, as_of, revision } },
          { upsert: true, session },
        );
    },
  };
}
