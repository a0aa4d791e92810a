import { type Connection, collection, type Session } from '@laurel/mongo';
import type { Merge } from '../domain/merge';

export interface Code {
  id: string;
  code: string;
  clientId: string;
  createdAt: Date;
}

interface CodeDocument {
  _id: string;
  workspace_id: string;
  code: string;
  client_id: string;
  /** On the code that is shown; a client that others were merged into has theirs besides. */
  primary?: true;
  date_created: Date;
}

export const codes = collection<CodeDocument>('codes', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'by hand: use-cases/merge-clients.ts',
    anonymized: 'stays: it names nobody',
    deleted: 'by hand: use-cases/forget-client.ts',
    exported: 'shown',
  },
  growth: {
    per: 'client',
    end: 'stays: goes with its client',
    shardKey: ['workspace_id', 'code'],
    wayOut: {
      primary_unique: 'a slot: a document whose `_id` is the digest of client and programme',
    },
  },
  indexes: [
    { key: { workspace_id: 1, code: 1 }, name: 'code_unique', unique: true },
    {
      key: { workspace_id: 1, client_id: 1, primary: 1 },
      name: 'primary_unique',
      unique: true,
      partialFilterExpression: { primary: true },
    },
    { key: { workspace_id: 1, client_id: 1 }, name: 'client' },
  ],
});

/** Codes in capitals, unique per workspace; each client shows one. */
export function createCodeStore(connection: Connection) {
  const rows = codes.open(connection);

  return {
    /** Whose code it is; null when it has no owner. */
    async ownerOf(workspaceId: string, code: string): Promise<string | null> {
      const projection = { client_id: 1 };
      return (await rows.of(workspaceId).findOne({ code }, { projection }))?.client_id ?? null;
    },

    /** The code that is the client's to share; null without one. */
    async shownOf(
      workspaceId: string,
      clientId: string,
      session?: Session,
    ): Promise<string | null> {
      const filter = { client_id: clientId, primary: true as const };
      return (await rows.of(workspaceId).findOne(filter, { session }))?.code ?? null;
    },

    /** Fails as a duplicate key when the code is taken, or the client has one to show. */
    async insert(
      workspaceId: string,
      { id, code, clientId, createdAt }: Code,
      session: Session,
    ): Promise<void> {
      const row = { workspace_id: workspaceId, code, client_id: clientId, date_created: createdAt };
      await rows.insertOne({ _id: id, ...row, primary: true }, { session });
    },

    /** Links that are out in the world go on working, in the name of the other client. */
    async moveClient(
      workspaceId: string,
      { sourceId, targetId }: Merge,
      session: Session,
    ): Promise<void> {
      const shown = { client_id: targetId, primary: true as const };
      const hasOne = await rows.of(workspaceId).has(shown, { session });
      await rows
        .of(workspaceId)
        .updateMany(
          { client_id: sourceId },
          { $set: { client_id: targetId }, ...(hasOne ? { $unset: { primary: '' } } : {}) },
          { session },
        );
    },

    async removeClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ client_id: clientId }, { session });
    },
  };
}
