import type { ClientEnding } from '@laurel/contract';
import { type Connection, collection, type Session } from '@laurel/mongo';

/** What became of a client whose personal data must never be written again. */
export interface Tombstone {
  clientId: string;
  workspaceId: string;
  kind: ClientEnding;
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

const IT_SAYS_SO = 'stays: it is what says so';

/** Kept as long as the workspace: an old event may be replayed at any time. */
export const tombstones = collection<TombstoneDocument>('tombstones', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: IT_SAYS_SO,
    anonymized: IT_SAYS_SO,
    deleted: 'as anonymized',
    exported: 'withheld: ids alone',
  },
  growth: {
    per: 'deleted client',
    end: 'stays: an old event may come again at any time',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

export function createTombstoneStore(connection: Connection) {
  const rows = tombstones.open(connection);

  return {
    async put({ clientId, workspaceId, ...rest }: Tombstone, session: Session): Promise<void> {
      const { kind, mergedInto, at } = rest;
      const document = { workspace_id: workspaceId, kind, merged_into: mergedInto, at };
      const how = { upsert: true, session };
      await rows.of(workspaceId).replaceOne({ _id: clientId }, document, how);
    },

    async findMany(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<Map<string, Tombstone>> {
      const filter = { _id: { $in: [...clientIds] } };
      const found = await rows.of(workspaceId).find(filter, { session }).toArray();
      return new Map(
        found.map((row) => [
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
  };
}
