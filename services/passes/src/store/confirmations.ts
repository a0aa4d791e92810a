import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Confirmation } from '../domain/enrollment/confirmation';
import type { EnrollmentInput } from '../domain/enrollment/enrollment';

const COLLECTION = 'enrollment_confirmations';

export const confirmationIndexes: CollectionIndexes = {
  collection: COLLECTION,
  growth: {
    per: 'form that waits for its mail',
    end: 'when it ends',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
  ],
};

/** By the SHA-256 of its token. What was filled in is kept as text, because names of custom fields may be anything. */
interface ConfirmationDocument
  extends Omit<Confirmation, 'token_sha256' | 'input' | 'confirmed_at'> {
  _id: string;
  input_json: string | null;
  confirmed_at?: Date;
}

/** What was filled in with the address of somebody who is known, until they say that it was them. */
export function createConfirmationStore(connection: Connection) {
  const confirmations = connection.collection<ConfirmationDocument>(COLLECTION);

  return {
    async insert(
      { token_sha256, input, confirmed_at: _never, ...columns }: Confirmation,
      session: Session,
    ): Promise<void> {
      const input_json = JSON.stringify(input);
      await confirmations.insertOne({ _id: token_sha256, ...columns, input_json }, { session });
    },

    /** By the token alone, which is all that a mailed link is opened with. */
    async findByToken(tokenSha256: string): Promise<Confirmation | null> {
      const row = await confirmations.findOne({ _id: tokenSha256 });
      if (!row) return null;
      const { _id, input_json, confirmed_at, ...columns } = row;
      const input = input_json === null ? null : (JSON.parse(input_json) as EnrollmentInput);
      return { ...columns, token_sha256: _id, input, confirmed_at: confirmed_at ?? null };
    },

    /** Ends it and forgets what was filled in; until `expiresAt` its repeat is still answered. */
    async use(
      workspaceId: string,
      tokenSha256: string,
      { now, expiresAt }: { now: Date; expiresAt: Date },
      session: Session,
    ): Promise<void> {
      await confirmations.updateOne(
        { _id: tokenSha256, workspace_id: workspaceId },
        { $set: { confirmed_at: now, expires_at: expiresAt, input_json: null } },
        { session },
      );
    },

    async moveClient(
      workspaceId: string,
      { source, target }: { source: string; target: string },
      session: Session,
    ): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: source };
      // Staff have said that both are one person: the mailbox is theirs, whichever address they keep.
      const moved = { $set: { client_id: target }, $unset: { sent_to: '' as const } };
      await confirmations.updateMany(filter, moved, { session });
    },

    /** Ends every link that was mailed to somebody. */
    async removeOfClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      await confirmations.deleteMany(filter, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await confirmations.deleteMany({ workspace_id: workspaceId });
    },
  };
}
