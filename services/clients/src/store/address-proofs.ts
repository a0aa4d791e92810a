import { createSharedLookups } from '@laurel/lifecycle';
import { type CollectionIndexes, type Connection, orStale, type Session } from '@laurel/mongo';

const COLLECTION = 'address_proofs';

export const addressProofIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
};

interface AddressProofDocument {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  proven_at: Date;
}

/** Since when it is known that a client reads what is sent to them (docs/adr/0014). */
export function createAddressProofStore(connection: Connection) {
  const proofs = connection.collection<AddressProofDocument>(COLLECTION);
  const lookUp = createSharedLookups<string, AddressProofDocument>(async (clientIds) => {
    const rows = await proofs.find({ _id: { $in: [...clientIds] } }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  });

  return {
    /** As `find` outside of a transaction; all who ask while a read is under way share the next one. */
    async look(workspaceId: string, clientId: string): Promise<Date | null> {
      const proof = await lookUp(clientId);
      return proof?.workspace_id === workspaceId ? proof.proven_at : null;
    },

    async find(workspaceId: string, clientId: string, session?: Session): Promise<Date | null> {
      const filter = { _id: clientId, workspace_id: workspaceId };
      return (await proofs.findOne(filter, session ? { session } : {}))?.proven_at ?? null;
    },

    /** The caller has seen that there is none; another that came first makes the whole unit decide again. */
    async insert(
      { workspaceId, clientId, now }: { workspaceId: string; clientId: string; now: Date },
      session: Session,
    ): Promise<void> {
      const document = { _id: clientId, workspace_id: workspaceId, proven_at: now };
      await orStale('the proof', proofs.insertOne(document, { session }));
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await proofs.deleteMany({ workspace_id: workspaceId });
    },
  };
}
