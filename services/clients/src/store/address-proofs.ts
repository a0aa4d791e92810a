import { createSharedLookups } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  type Merge,
  orStale,
  type Session,
  type Unit,
} from '@laurel/mongo';

interface AddressProofDocument {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  proven_at: Date;
}

export const addressProofs = collection<AddressProofDocument>('address_proofs', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: goWithSource,
    anonymized: 'stays: what was handed out before it stays closed',
    deleted: 'goes',
    exported: 'shown',
  },
  growth: {
    per: 'client',
    end: 'stays: goes with its client',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

/** Since when it is known that a client reads what is sent to them (docs/adr/0014). */
export function createAddressProofStore(connection: Connection) {
  const rows = addressProofs.open(connection);
  const lookUp = createSharedLookups<string, AddressProofDocument>(async (clientIds) => {
    const found = await rows.ofEverybody.find({ _id: { $in: [...clientIds] } }).toArray();
    return new Map(found.map((row) => [row._id, row]));
  });

  return {
    /** As `find` outside of a transaction; all who ask while a read is under way share the next one. */
    async look(workspaceId: string, clientId: string): Promise<Date | null> {
      const proof = await lookUp(clientId);
      return proof?.workspace_id === workspaceId ? proof.proven_at : null;
    },

    async find(workspaceId: string, clientId: string, session?: Session): Promise<Date | null> {
      const proof = await rows.of(workspaceId).findOne({ _id: clientId }, { session });
      return proof?.proven_at ?? null;
    },

    /** The caller has seen that there is none; another that came first makes the whole unit decide again. */
    async insert(
      { workspaceId, clientId, now }: { workspaceId: string; clientId: string; now: Date },
      session: Session,
    ): Promise<void> {
      const document = { _id: clientId, workspace_id: workspaceId, proven_at: now };
      await orStale('the proof', rows.insertOne(document, { session }));
    },
  };
}

/** What the target was handed out may be in other hands than the source's was. */
async function goWithSource(
  { rows, session }: Unit<AddressProofDocument>,
  { source }: Merge,
): Promise<void> {
  await rows.deleteOne({ _id: source }, { session });
}
