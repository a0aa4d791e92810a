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
  /** Absent where nothing but a number was ever reached. */
  proven_at?: Date;
  /** When the address that was proven, or the number that was reached, was taken from the client; absent while a proof holds. */
  withdrawn_at?: Date;
  /** Whether a text message to the client's number let somebody in, which proves no address; absent from the first proof on. */
  phone_reached?: true;
}

/**
 * Stands where nothing was withdrawn yet of somebody who was reached and has proven nothing: a release that does not know of
 * those who were takes it for a proof that ended before everything.
 */
const NEVER = new Date(0);

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

    /** Whether a text message has let somebody in since the last proof. */
    async wasReached(workspaceId: string, clientId: string, session: Session): Promise<boolean> {
      return rows.of(workspaceId).has({ _id: clientId, phone_reached: true }, { session });
    },

    /** The caller has seen that there is none that holds; another that came first makes the whole unit decide again. */
    async note({ workspaceId, clientId, now }: Noting, session: Session): Promise<void> {
      const none = { _id: clientId, withdrawn_at: { $exists: true } };
      const gone = { withdrawn_at: '' as const, phone_reached: '' as const };
      const change = { $set: { proven_at: now }, $unset: gone };
      const noted = rows.of(workspaceId).updateOne(none, change, { upsert: true, session });
      await orStale('the proof', noted);
    },

    /** A text message to the client's number lets somebody in. */
    async noteReached(workspaceId: string, clientId: string, session: Session): Promise<void> {
      const first = { withdrawn_at: NEVER };
      const change = { $set: { phone_reached: true as const }, $setOnInsert: first };
      const own = rows.of(workspaceId);
      const noted = own.updateOne({ _id: clientId }, change, { upsert: true, session });
      await orStale('the reached number', noted);
    },

    /** The address is the client's no more; nothing where none was proven. */
    async withdraw({ workspaceId, clientId, now }: Noting, session: Session): Promise<void> {
      const proven = { _id: clientId, proven_at: { $exists: true } };
      const change = { $set: { withdrawn_at: now } };
      await rows.of(workspaceId).updateOne(proven, change, { session });
    },

    /** The numbers are these clients' no more; nothing of those whom no text message let in, or who have a proof that holds. */
    async withdrawReached(
      workspaceId: string,
      { clientIds, now }: { clientIds: readonly string[]; now: Date },
      session: Session,
    ): Promise<void> {
      const reached = {
        _id: { $in: [...clientIds] },
        phone_reached: true as const,
        withdrawn_at: { $exists: true },
      };
      const change = { $set: { withdrawn_at: now } };
      await rows.of(workspaceId).updateMany(reached, change, { session });
    },
  };
}

type Noting = { workspaceId: string; clientId: string; now: Date };

function toAddressProof({ proven_at, withdrawn_at }: AddressProofDocument): AddressProof | null {
  const since = withdrawn_at ?? proven_at;
  if (since === undefined || since.getTime() === NEVER.getTime()) return null;
  return { provenAt: withdrawn_at ? null : since, since };
}

/** What the target was handed out may be in other hands than the source's was. */
async function goWithSource(
  { rows, session }: Unit<AddressProofDocument>,
  { source }: Merge,
): Promise<void> {
  await rows.deleteOne({ _id: source }, { session });
}
