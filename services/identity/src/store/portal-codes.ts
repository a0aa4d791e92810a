import { newId } from '@laurel/lifecycle';
import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';

/** Somebody asked for a code; whether the address has a portal to enter is looked up later. */
export interface CodeRequestRow {
  _id: string;
  workspace_slug: string;
  email: string;
  /** Where the wish came from, as limits count it; absent in rows of earlier versions. */
  source?: string;
  asked_at: Date;
  due_at: Date;
}

/**
 * The one code of an address in a workspace that a source asked for. Each source has its own: a stranger who asks for
 * codes of another's address, or guesses at them, ends none that the owner asked for.
 */
export interface PortalCodeRow {
  /** Keyed digest of workspace, address and source: looking an unknown one up is the same work. */
  _id: string;
  workspace_id: string;
  /** Keyed digest of workspace and address. */
  address: string;
  client_id: string;
  /** Names the code, so that using it and replacing it cannot pass each other. */
  code_id: string;
  code_digest: string;
  /** Tries from where it was asked for. */
  wrong_tries: number;
  /** Tries from anywhere else: who asks at a desk may type on the way. */
  tries_elsewhere: number;
  made_at: Date;
  expires_at: Date;
  purge_at: Date;
}

/** What a code stands under. */
export type PortalCodeName = Pick<PortalCodeRow, '_id' | 'address'>;

/** Tries after which a code is dead to where they came from. */
const TRIES_MAX = 5;

/** Workspaces take turns, by the name that was asked for: a portal that is asked too much is slow alone. */
const DUE = { by: 'workspace_slug' };

/** Nothing of it is shown or moved: a code is a digest, good for minutes, and lets in only who has its address then. */
const ENDS = 'stays: digests, for the minutes that a code is good';

export const portalCodeRequests = collection<CodeRequestRow>('portal_code_requests', {
  tenant: 'none: nobody has looked yet whether there is a portal of that name',
  person: {
    column: 'none: nobody has looked yet whose address it is',
    merged: 'stays: until it is looked at, which is at once',
    anonymized: 'stays: until it is looked at, which is at once',
    deleted: 'as anonymized',
    exported: 'withheld: nobody has looked yet whose address it is',
  },
  growth: { per: 'mail that waits', end: 'when it was sent', shardKey: 'whole' },
  // Under a name of its own: it once had another key, and no server changes an index in place.
  indexes: [dueIndex(DUE, 'due_in_turns_of_shops')],
  retired: ['due_in_turns'],
});
export const portalCodes = collection<PortalCodeRow>('portal_codes', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: ENDS,
    anonymized: ENDS,
    deleted: 'as anonymized',
    exported: 'withheld: digests, for the minutes that a code is good',
  },
  growth: { per: 'sign-in to the portal', end: 'a while after it ends', shardKey: 'whole' },
  indexes: [
    { key: { workspace_id: 1, address: 1, made_at: 1 }, name: 'address' },
    { key: { purge_at: 1 }, name: 'purge_at_ttl', expireAfterSeconds: 0 },
  ],
  retired: ['workspace'],
});

export function createPortalCodeStore(connection: Connection) {
  const requests = portalCodeRequests.open(connection).ofEverybody;
  const due = createDue<CodeRequestRow, CodeRequestRow>(connection, portalCodeRequests.collection, {
    ...DUE,
    read: (row) => row,
  });
  const codes = portalCodes.open(connection);
  return {
    /** Requests that wait to be answered. */
    due,

    async request(
      wish: Required<Pick<CodeRequestRow, 'workspace_slug' | 'email' | 'source'>>,
      now: Date,
    ): Promise<void> {
      await requests.insertOne({ _id: newId(), ...wish, asked_at: now, due_at: now });
      due.wake();
    },
    async removeRequest(id: string, session?: Session): Promise<void> {
      await requests.deleteOne({ _id: id }, { session });
    },

    /** Puts a code in the place of whatever the source had asked for. */
    async put(row: PortalCodeRow, session: Session): Promise<void> {
      const { _id, ...fields } = row;
      await codes
        .of(row.workspace_id)
        .updateOne({ _id }, { $set: fields }, { upsert: true, session });
    },

    /**
     * Takes one of a code's tries before it is compared, so that no number of guesses at once gets
     * more than five; null when the source has no code that is alive.
     */
    takeTry: (workspaceId: string, id: string, now: Date) =>
      codes.of(workspaceId).findOneAndUpdate(
        {
          _id: id,
          expires_at: { $gt: now },
          wrong_tries: { $lt: TRIES_MAX },
        },
        { $inc: { wrong_tries: 1 } },
        { returnDocument: 'after' },
      ),
    /** The same for the newest code that the address has because of another source. */
    takeTryElsewhere: (workspaceId: string, { address, _id }: PortalCodeName, now: Date) =>
      codes.of(workspaceId).findOneAndUpdate(
        {
          address,
          _id: { $ne: _id },
          expires_at: { $gt: now },
          tries_elsewhere: { $lt: TRIES_MAX },
        },
        { $inc: { tries_elsewhere: 1 } },
        { sort: { made_at: -1 }, returnDocument: 'after' },
      ),

    /** True for the one caller that uses the code; it is dead from then on. */
    async use(workspaceId: string, { _id, code_id }: PortalCodeRow, now: Date): Promise<boolean> {
      const { modifiedCount } = await codes.of(workspaceId).updateOne(
        { _id, code_id, expires_at: { $gt: now } },
        // Not `now`: who read the clock a moment earlier would find the code alive.
        { $set: { expires_at: new Date(0) } },
      );
      return modifiedCount === 1;
    },
  };
}
