import { type Connection, collection, type Merge, type Session, type Unit } from '@laurel/mongo';

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

export const identities = collection<IdentityDocument>('external_identities', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: moveUnknown,
    anonymized: 'goes',
    deleted: 'goes',
    exported: 'shown',
  },
  growth: {
    per: 'client and provider',
    end: 'stays: goes with its client',
    shardKey: ['workspace_id', 'client_id'],
    wayOut: {
      external_id_unique:
        'a slot: a document whose `_id` is the digest of what must be one, taken before the row (provider and external id), which is the second direction',
    },
  },
  indexes: [
    {
      key: { workspace_id: 1, provider: 1, external_id: 1 },
      name: 'external_id_unique',
      unique: true,
    },
    { key: { workspace_id: 1, client_id: 1, provider: 1 }, name: 'provider_unique', unique: true },
    { key: { workspace_id: 1, external_id: 1 }, name: 'external_id' },
  ],
});

/** As many systems may know somebody by one id. */
const CLIENTS_MAX = 20;

export function createIdentityStore(connection: Connection) {
  const rows = identities.open(connection);

  return {
    async ofClient(
      workspaceId: string,
      clientId: string,
      session?: Session,
    ): Promise<ExternalIdentity[]> {
      const own = rows.of(workspaceId).find({ client_id: clientId }, { session });
      return (await own.sort({ provider: 1 }).toArray()).map(fromDocument);
    },

    /** Whom an outside system knows by that id, whichever system it is. */
    async clientsOf(workspaceId: string, externalId: string): Promise<string[]> {
      const known = rows.of(workspaceId).find({ external_id: externalId }).limit(CLIENTS_MAX);
      return [...new Set((await known.toArray()).map(({ client_id }) => client_id))];
    },

    async findClientId(
      workspaceId: string,
      provider: string,
      externalId: string,
    ): Promise<string | null> {
      const known = await rows.of(workspaceId).findOne({ provider, external_id: externalId });
      return known?.client_id ?? null;
    },

    /** Sets the id of one provider; fails as a duplicate key when another client has it. */
    async put({ id, ...columns }: ExternalIdentity, session: Session): Promise<ExternalIdentity> {
      const { workspace_id, client_id, provider, external_id } = columns;
      const own = rows.of(workspace_id);
      const known = await own.findOne({ client_id, provider }, { session });
      if (known?.external_id === external_id) return fromDocument(known);
      if (known) {
        await own.updateOne({ _id: known._id }, { $set: { external_id } }, { session });
        return fromDocument({ ...known, external_id });
      }
      await rows.insertOne({ _id: id, ...columns }, { session });
      return { id, ...columns };
    },

    async remove(
      workspaceId: string,
      clientId: string,
      { provider, session }: { provider: string; session: Session },
    ): Promise<boolean> {
      const filter = { client_id: clientId, provider };
      return (await rows.of(workspaceId).deleteOne(filter, { session })).deletedCount > 0;
    },
  };
}

/** The target keeps the id it already has with a provider. */
async function moveUnknown(
  { rows, session }: Unit<IdentityDocument>,
  { source, target }: Merge,
): Promise<void> {
  const kept = await rows.distinct('provider', { client_id: target }, { session });
  await rows.deleteMany({ client_id: source, provider: { $in: kept } }, { session });
  await rows.updateMany({ client_id: source }, { $set: { client_id: target } }, { session });
}

function fromDocument({ _id, ...columns }: IdentityDocument): ExternalIdentity {
  return { id: _id, ...columns };
}
