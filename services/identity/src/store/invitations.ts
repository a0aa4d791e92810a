import { digestToken } from '@laurel/auth-cache';
import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { emailKey } from '@laurel/values/email';
import type { RoleName } from '../domain/roles';

export interface InvitationRow {
  _id: string;
  workspace_id: string;
  email: string;
  email_key: string;
  /** Lets its address in; members who may invite see it, so it proves nothing of the address. */
  token: string;
  /** Digest of the token that only the mail carries: who has that one reads the mailbox. */
  mailed_sha256?: string;
  role: RoleName;
  status: 'pending' | 'accepted' | 'revoked' | 'superseded';
  /** There only while pending: at most one open invitation per workspace and address. */
  open?: true;
  inviter_id: string;
  created_at: Date;
  expires_at: Date;
}

export type NewInvitation = Pick<
  InvitationRow,
  '_id' | 'email' | 'token' | 'mailed_sha256' | 'role' | 'inviter_id' | 'created_at' | 'expires_at'
>;

export const invitations = collection<InvitationRow>('invitations', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: who may come in is decided anew',
  growth: {
    per: 'invitation',
    end: 'stays: listed; some of a workspace',
    shardKey: 'whole',
  },
  indexes: [
    {
      key: { workspace_id: 1, email_key: 1 },
      name: 'one_open',
      unique: true,
      partialFilterExpression: { open: true },
    },
    { key: { token: 1 }, name: 'token', unique: true },
    {
      key: { mailed_sha256: 1 },
      name: 'mailed',
      unique: true,
      partialFilterExpression: { mailed_sha256: { $exists: true } },
    },
    { key: { email_key: 1, open: 1 }, name: 'email' },
    { key: { inviter_id: 1, open: 1 }, name: 'inviter' },
  ],
});

export function createInvitationStore(connection: Connection) {
  const rows = invitations.open(connection);
  return {
    ...createEndings(rows),

    /** The caller holds the workspace's members still, so that two cannot open one for the same address. */
    async insert(workspaceId: string, invitation: NewInvitation, session: Session): Promise<void> {
      const row: InvitationRow = {
        ...invitation,
        workspace_id: workspaceId,
        email_key: emailKey(invitation.email),
        status: 'pending',
        open: true,
      };
      await rows.insertOne(row, { session });
    },

    findOpenFor: (workspaceId: string, email: string, session: Session) =>
      rows.of(workspaceId).findOne({ email_key: emailKey(email), open: true }, { session }),

    find: (workspaceId: string, id: string, session?: Session) =>
      rows.of(workspaceId).findOne({ _id: id }, { session }),

    workspaceOf: async (id: string): Promise<string | null> =>
      (await rows.ofEverybody.findOne({ _id: id }, { projection: { workspace_id: 1 } }))
        ?.workspace_id ?? null,

    /** By the token that is shown, or by the one that was mailed. */
    async findByToken(
      token: string,
      session?: Session,
    ): Promise<(InvitationRow & { wasMailed: boolean }) | null> {
      const shown = await rows.ofEverybody.findOne({ token }, { session });
      if (shown) return { ...shown, wasMailed: false };
      const mailed = await rows.ofEverybody.findOne(
        { mailed_sha256: digestToken(token) },
        { session },
      );
      return mailed && { ...mailed, wasMailed: true };
    },

    listOpen: (workspaceId: string) =>
      rows.of(workspaceId).find({ open: true }).sort({ created_at: -1, _id: -1 }).toArray(),

    listOpenForEmail: (email: string, now: Date) =>
      rows.ofEverybody
        .find({ email_key: emailKey(email), open: true, expires_at: { $gt: now } })
        .sort({ created_at: -1, _id: -1 })
        .toArray(),
  };
}

/** How an open invitation ends. */
function createEndings(rows: Rows<InvitationRow>) {
  return {
    /** Ends an open invitation; false when it was not open any more. */
    async close(
      workspaceId: string,
      id: string,
      { status, session }: { status: 'accepted' | 'revoked' | 'superseded'; session: Session },
    ): Promise<boolean> {
      const { modifiedCount } = await rows
        .of(workspaceId)
        .updateOne(
          { _id: id, open: true },
          { $set: { status }, $unset: { open: '' } },
          { session },
        );
      return modifiedCount === 1;
    },

    /** Ends every open invitation that somebody made, in one workspace or, where none is named, in all. */
    async revokeOfInviter(
      inviterId: string,
      { workspaceId, session }: { workspaceId?: string; session: Session },
    ): Promise<void> {
      const own = workspaceId === undefined ? rows.ofEverybody : rows.of(workspaceId);
      await own.updateMany(
        { inviter_id: inviterId, open: true },
        { $set: { status: 'revoked' }, $unset: { open: '' } },
        { session },
      );
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const { deletedCount } = await rows
        .of(workspaceId)
        .deleteOne({ _id: id, open: true }, { session });
      return deletedCount === 1;
    },
  };
}
