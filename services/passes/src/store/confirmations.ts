import { type Connection, collection, type Merge, type Session, type Unit } from '@laurel/mongo';
import { createCatchUps, dueIndex } from '@laurel/work';
import type { Confirmation } from '../domain/enrollment/confirmation';
import type { EnrollmentInput } from '../domain/enrollment/enrollment';

export const confirmations = collection<ConfirmationDocument>('enrollment_confirmations', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: move,
    anonymized: 'goes',
    deleted: 'as anonymized',
    exported: 'withheld: what somebody said who has not shown to be the person',
  },
  growth: {
    per: 'form that waits for its mail',
    end: 'when it ends',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
    dueIndex(),
  ],
});

/** By the SHA-256 of its token. What was filled in is kept as text, because names of custom fields may be anything. */
interface ConfirmationDocument
  extends Omit<Confirmation, 'token_sha256' | 'input' | 'confirmed_at'> {
  _id: string;
  input_json: string | null;
  confirmed_at?: Date;
  /** Until its client was caught up with. */
  due_at?: Date;
}

/** What was filled in with the address of somebody who is known, until they say that it was them. */
export function createConfirmationStore(connection: Connection) {
  const rows = confirmations.open(connection);
  const catchUps = createCatchUps(connection, confirmations.collection);

  return {
    /** Links for clients who may have departed meanwhile. */
    catchUps,

    async insert(
      { token_sha256, input, confirmed_at: _never, ...columns }: Confirmation,
      now: Date,
      session: Session,
    ): Promise<void> {
      const own = { ...columns, input_json: JSON.stringify(input), ...catchUps.columns(now) };
      await rows.insertOne({ _id: token_sha256, ...own }, { session });
    },

    /** By the token alone, which is all that a mailed link is opened with. */
    async findByToken(tokenSha256: string): Promise<Confirmation | null> {
      const row = await rows.ofEverybody.findOne({ _id: tokenSha256 });
      if (!row) return null;
      const { _id, input_json, confirmed_at, due_at: _due, ...columns } = row;
      const input = input_json === null ? null : (JSON.parse(input_json) as EnrollmentInput);
      return { ...columns, token_sha256: _id, input, confirmed_at: confirmed_at ?? null };
    },

    /** Ends it and forgets what was filled in; until `expiresAt` its repeat is still answered. */
    async use(
      workspaceId: string,
      { tokenSha256, now, expiresAt }: { tokenSha256: string; now: Date; expiresAt: Date },
      session: Session,
    ): Promise<void> {
      const used = { confirmed_at: now, expires_at: expiresAt, input_json: null };
      await rows.of(workspaceId).updateOne({ _id: tokenSha256 }, { $set: used }, { session });
    },
  };
}

/**
 * Staff have said that both are one person: the mailbox is theirs, whichever address they keep. A number leads to them
 * only while they have it, and so does a link of which is not known where it went.
 */
async function move(
  { rows, session }: Unit<ConfirmationDocument>,
  { source, target }: Merge,
): Promise<void> {
  const mailed = { client_id: source, texted: false };
  await rows.updateMany(mailed, { $unset: { sent_to: '' as const } }, { session });
  await rows.updateMany({ client_id: source }, { $set: { client_id: target } }, { session });
}
