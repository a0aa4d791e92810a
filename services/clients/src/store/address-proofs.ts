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
  /** When the address that was proven was taken from the client; absent while it is theirs. */
  withdrawn_at?: Date;
}

/** What is known of whether a client reads what is sent to them. */
export interface AddressProof {
  /** Since when it is known; null where the address that it was known of is theirs no more. */
  provenAt: Date | null;
  /** What was handed out before may be in other hands. */
  since: Date;
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
    async look(workspaceId: string, clientId: string): Promise<AddressProof | null> {
      const proof = await lookUp(clientId);
      return proof?.workspace_id === workspaceId ? toAddressProof(proof) : null;
    },

    async find(
      workspaceId: string,
      clientId: string,
      session?: Session,
    ): Promise<AddressProof | null> {
      const proof = await rows.of(workspaceId).findOne({ _id: clientId }, { session });
      return proof && toAddressProof(proof);
    },

    /** The caller has seen that there is none that holds; another that came first makes the whole unit decide again. */
    async note({ workspaceId, clientId, now }: Noting, session: Session): Promise<void> {
      const ended = { _id: clientId, withdrawn_at: { $exists: true } };
      const change = { $set: { proven_at: now }, $unset: { withdrawn_at: '' as const } };
      const noted = rows.of(workspaceId).updateOne(ended, change, { upsert: true, session });
      await orStale('the proof', noted);
    },

    /** The address is the client's no more; nothing where none was proven. */
    async withdraw({ workspaceId, clientId, now }: Noting, session: Session): Promise<void> {
      const change = { $set: { withdrawn_at: now } };
      await rows.of(workspaceId).updateOne({ _id: clientId }, change, { session });
    },
  };
}

type Noting = { workspaceId: string; clientId: string; now: Date };

function toAddressProof({ proven_at, withdrawn_at }: AddressProofDocument): AddressProof {
  return { provenAt: withdrawn_at ? null : proven_at, since: withdrawn_at ?? proven_at };
}

/** What the target was handed out may be in other hands than the source's was. */
async function goWithSource(
  { rows, session }: Unit<AddressProofDocument>,
  { source }: Merge,
): Promise<void> {
  await rows.deleteOne({ _id: source }, { session });
}
