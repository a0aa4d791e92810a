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
  /**
   * As `proven_at`, where the proof came after such a message. Another one says nothing: a release that does not know of this
   * has noted a later proof since.
   */
  reached_until?: Date;
}

/**
 * Stands where nothing was withdrawn yet of somebody who was reached and has proven nothing: a release that does not know of
 * those who were takes it for a proof that ended before everything.
 */
const NEVER = new Date(0);
const REACHED = { $set: { phone_reached: true as const }, $setOnInsert: { withdrawn_at: NEVER } };

/** What is known of whether a client reads what is sent to them. */
export interface AddressProof {
  /** Since when it is known; null where the address that it was known of is theirs no more. */
  provenAt: Date | null;
  /** What was handed out before may be in other hands. */
  since: Date;
  /** Whether a text message had let somebody in before the proof that holds. */
  wasReached: boolean;
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
    async note(
      { workspaceId, clientId, now, wasReached }: Noting & Pick<AddressProof, 'wasReached'>,
      session: Session,
    ): Promise<void> {
      const none = { _id: clientId, withdrawn_at: { $exists: true } };
      const gone = { withdrawn_at: '' as const, phone_reached: '' as const };
      const proof = { proven_at: now, ...(wasReached ? { reached_until: now } : {}) };
      const change = { $set: proof, $unset: gone };
      const noted = rows.of(workspaceId).updateOne(none, change, { upsert: true, session });
      await orStale('the proof', noted);
    },

    /** A text message to the client's number lets somebody in. */
    async noteReached(workspaceId: string, clientId: string, session: Session): Promise<void> {
      const own = rows.of(workspaceId);
      const noted = own.updateOne({ _id: clientId }, REACHED, { upsert: true, session });
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

function toAddressProof({
  proven_at,
  withdrawn_at,
  reached_until,
}: AddressProofDocument): AddressProof | null {
  const since = withdrawn_at ?? proven_at;
  if (since === undefined || since.getTime() === NEVER.getTime()) return null;
  if (withdrawn_at) return { provenAt: null, since, wasReached: false };
  return { provenAt: since, since, wasReached: reached_until?.getTime() === since.getTime() };
}

/**
 * What the target was handed out may be in other hands than the source's was, so no proof goes along. Whom a text message let
 * in was shown what the target has now: it ends with the first proof of the target's address. What was closed, as the source's
 * address or number turned out to be another's, comes to the target with its cards, and stays closed until then.
 */
async function goWithSource(
  { rows, session }: Unit<AddressProofDocument>,
  { source, target }: Merge,
): Promise<void> {
  const known = await rows.findOne({ _id: source }, { session });
  const change = known && broughtAlong(known);
  if (change && !(await rows.has({ _id: target, withdrawn_at: { $exists: false } }, { session }))) {
    const unproven = { _id: target, withdrawn_at: { $exists: true } };
    const noted = rows.updateOne(unproven, change, { upsert: true, session });
    await orStale('what was known of the source', noted);
  }
  await rows.deleteOne({ _id: source }, { session });
}

/** What of the source's row is true of an unproven target as well; null where nothing is. */
function broughtAlong({ phone_reached, withdrawn_at: closed }: AddressProofDocument) {
  if (!phone_reached && closed === undefined) return null;
  const reached = phone_reached ? { $set: { phone_reached } } : {};
  return { ...reached, $max: { withdrawn_at: closed ?? NEVER } };
}
