import { newId } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';

/** Somebody asked for a code; whether the address has a portal to enter is looked up later. */
export interface CodeRequestRow {
  _id: string;
  workspace_slug: string;
  email: string;
  asked_at: Date;
  due_at: Date;
}

/** The one code of an address in a workspace, and when the earlier ones were made. */
export interface PortalCodeRow {
  /** Keyed digest of workspace and address: looking an unknown one up is the same work. */
  _id: string;
  workspace_id: string;
  client_id: string;
  /** Names the code, so that using it and replacing it cannot pass each other. */
  code_id: string;
  code_digest: string;
  wrong_tries: number;
  made_at: Date[];
  expires_at: Date;
  /** When the count of the hour has no use for the row any more. */
  purge_at: Date;
}

/** Tries after which a code is dead. */
const TRIES_MAX = 5;

/** Whoever asks has one turn. */
const DUE = { by: '_id' };

export const portalCodeIndexes: readonly CollectionIndexes[] = [
  { collection: 'portal_code_requests', indexes: [dueIndex(DUE)] },
  {
    collection: 'portal_codes',
    indexes: [
      { key: { workspace_id: 1 }, name: 'workspace' },
      { key: { purge_at: 1 }, name: 'purge_at_ttl', expireAfterSeconds: 0 },
    ],
  },
];

export function createPortalCodeStore(connection: Connection) {
  const requests = connection.collection<CodeRequestRow>('portal_code_requests');
  const due = createDue<CodeRequestRow, CodeRequestRow>(connection, 'portal_code_requests', {
    ...DUE,
    read: (row) => row,
  });
  const codes = connection.collection<PortalCodeRow>('portal_codes');
  return {
    /** Requests that wait to be answered. */
    due,

    async request(workspaceSlug: string, email: string, now: Date): Promise<void> {
      const times = { asked_at: now, due_at: now };
      await requests.insertOne({ _id: newId(), workspace_slug: workspaceSlug, email, ...times });
      due.wake();
    },
    async removeRequest(id: string, session?: Session): Promise<void> {
      await requests.deleteOne({ _id: id }, { session });
    },

    find: (workspaceId: string, id: string, session: Session) =>
      codes.findOne({ _id: id, workspace_id: workspaceId }, { session }),
    /** Puts a code in the place of whatever the address had. */
    async put(row: PortalCodeRow, session: Session): Promise<void> {
      const { _id, ...fields } = row;
      await codes.updateOne({ _id }, { $set: fields }, { upsert: true, session });
    },

    /**
     * Takes one of a code's tries before it is compared, so that no number of guesses at once gets
     * more than five; null when the address has no code that is alive.
     */
    takeTry: (workspaceId: string, id: string, now: Date) =>
      codes.findOneAndUpdate(
        {
          _id: id,
          workspace_id: workspaceId,
          expires_at: { $gt: now },
          wrong_tries: { $lt: TRIES_MAX },
        },
        { $inc: { wrong_tries: 1 } },
        { returnDocument: 'after' },
      ),

    /** True for the one caller that uses the code; it is dead from then on. */
    async use(workspaceId: string, { _id, code_id }: PortalCodeRow, now: Date): Promise<boolean> {
      const { modifiedCount } = await codes.updateOne(
        { _id, workspace_id: workspaceId, code_id, expires_at: { $gt: now } },
        // Not `now`: who read the clock a moment earlier would find the code alive.
        { $set: { expires_at: new Date(0) } },
      );
      return modifiedCount === 1;
    },

    async removeAll(workspaceId: string, session: Session): Promise<void> {
      await codes.deleteMany({ workspace_id: workspaceId }, { session });
    },
  };
}

export type PortalCodeStore = ReturnType<typeof createPortalCodeStore>;
