import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'external_identities';

export const identityIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    {
      key: { workspace_id: 1, provider: 1, external_id: 1 },
      name: 'external_id_unique',
      unique: true,
    },
    { key: { workspace_id: 1, client_id: 1, provider: 1 }, name: 'provider_unique', unique: true },
    { key: { workspace_id: 1, external_id: 1 }, name: 'external_id' },
  ],
};

/** Under which id an outside system knows a client. */
export interface ExternalIdentity {
  id: string;
  workspace_id: string;
  client_id: string;
  provider: string;
  external_id: string;
  date_created: Date;
}

type IdentityDocument = Omit<ExternalIdentity, 'id'> & { _id: string };

/** As many systems may know somebody by one id. */
const CLIENTS_MAX = 20;

export function createIdentityStore(connection: Connection) {
  const identities = connection.collection<IdentityDocument>(COLLECTION);
  const options = (session?: Session) => (session ? { session } : {});

  return {
    async ofClient(
      workspaceId: string,
      clientId: string,
      session?: Session,
    ): Promise<ExternalIdentity[]> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      const rows = await identities.find(filter, options(session)).sort({ provider: 1 }).toArray();
      return rows.map(fromDocument);
    },

    /** Whom an outside system knows by that id, whichever system it is. */
    async clientsOf(workspaceId: string, externalId: string): Promise<string[]> {
      const filter = { workspace_id: workspaceId, external_id: externalId };
      const rows = await identities.find(filter).limit(CLIENTS_MAX).toArray();
      return [...new Set(rows.map(({ client_id }) => client_id))];
    },

    async findClientId(
      workspaceId: string,
      provider: string,
      externalId: string,
    ): Promise<string | null> {
      const filter = { workspace_id: workspaceId, provider, external_id: externalId };
      return (await identities.findOne(filter))?.client_id ?? null;
    },

    /** Sets the id of one provider; fails as a duplicate key when another client has it. */
    async put({ id, ...columns }: ExternalIdentity, session: Session): Promise<ExternalIdentity> {
      const { workspace_id, client_id, provider, external_id } = columns;
      const filter = { workspace_id, client_id, provider };
      const known = await identities.findOne(filter, { session });
      if (known?.external_id === external_id) return fromDocument(known);
      if (known) {
        await identities.updateOne({ _id: known._id }, { $set: { external_id } }, { session });
        return fromDocument({ ...known, external_id });
      }
      await identities.insertOne({ _id: id, ...columns }, { session });
      return { id, ...columns };
    },

    async remove(
      workspaceId: string,
      clientId: string,
      provider: string,
      session: Session,
    ): Promise<boolean> {
      const filter = { workspace_id: workspaceId, client_id: clientId, provider };
      return (await identities.deleteOne(filter, { session })).deletedCount > 0;
    },

    async removeOfClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      await identities.deleteMany(filter, { session });
    },

    async moveToClient(identity: ExternalIdentity, to: string, session: Session): Promise<void> {
      await identities.updateOne({ _id: identity.id }, { $set: { client_id: to } }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await identities.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function fromDocument({ _id, ...columns }: IdentityDocument): ExternalIdentity {
  return { id: _id, ...columns };
}
