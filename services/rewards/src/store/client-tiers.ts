import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'client_tiers';

export const clientTierIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, tier_id: 1 }, name: 'tier' }],
};

interface ClientTierDocument {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  tier_id: string | null;
  /** When the client came into it: an older event changes nothing any more. */
  as_of: Date;
}

export type ClientTierStore = ReturnType<typeof createClientTierStore>;

/** Which tier each client is in, as far as events have told. */
export function createClientTierStore(connection: Connection) {
  const rows = connection.collection<ClientTierDocument>(COLLECTION);

  return {
    async put(
      workspaceId: string,
      clientId: string,
      { tierId, asOf }: { tierId: string | null; asOf: Date },
      session: Session,
    ): Promise<void> {
      const current = await rows.findOne({ _id: clientId }, { session });
      if (current && current.as_of > asOf) return;
      const change = { workspace_id: workspaceId, tier_id: tierId, as_of: asOf };
      await rows.updateOne({ _id: clientId }, { $set: change }, { upsert: true, session });
    },

    async tierOf(workspaceId: string, clientId: string): Promise<string | null> {
      const filter = { _id: clientId, workspace_id: workspaceId };
      return (await rows.findOne(filter))?.tier_id ?? null;
    },

    async removeClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      await rows.deleteOne({ _id: clientId, workspace_id: workspaceId }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await rows.deleteMany({ workspace_id: workspaceId });
    },
  };
}
