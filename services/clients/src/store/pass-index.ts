import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'pass_index';

export const passIndexIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, client_id: 1 }, name: 'of_client' }],
};

/** What events need to know of a pass: whose it is. A read model of the passes service. */
export interface IndexedPass {
  passId: string;
  workspaceId: string;
  clientId: string | null;
  templateId: string;
}

interface PassDocument {
  _id: string;
  workspace_id: string;
  client_id: string | null;
  template_id: string;
  /** Time of the event it was learned from: an older one changes nothing. */
  as_of: Date;
  /** Set once the pass is gone: a late event must not bring it back. */
  deleted?: boolean;
}

export type PassIndexStore = ReturnType<typeof createPassIndexStore>;

export function createPassIndexStore(connection: Connection) {
  const passes = connection.collection<PassDocument>(COLLECTION);

  async function write(
    passId: string,
    asOf: Date,
    columns: Omit<PassDocument, '_id' | 'as_of'>,
    session: Session,
  ): Promise<void> {
    const known = await passes.findOne({ _id: passId }, { session });
    if (known && (known.deleted || known.as_of > asOf) && !columns.deleted) return;
    const document = { ...columns, as_of: asOf };
    await passes.replaceOne({ _id: passId }, document, { upsert: true, session });
  }

  return {
    async findMany(passIds: readonly string[], session?: Session): Promise<IndexedPass[]> {
      const filter = { _id: { $in: [...passIds] }, deleted: { $exists: false } };
      const rows = await passes.find(filter, session ? { session } : {}).toArray();
      return rows.map((row) => ({
        passId: row._id,
        workspaceId: row.workspace_id,
        clientId: row.client_id,
        templateId: row.template_id,
      }));
    },

    async put(pass: IndexedPass, asOf: Date, session: Session): Promise<void> {
      const { passId, workspaceId, clientId, templateId } = pass;
      const columns = { workspace_id: workspaceId, client_id: clientId, template_id: templateId };
      await write(passId, asOf, columns, session);
    },

    async remove(pass: IndexedPass, asOf: Date, session: Session): Promise<void> {
      const { passId, workspaceId, templateId } = pass;
      const columns = { workspace_id: workspaceId, client_id: null, template_id: templateId };
      await write(passId, asOf, { ...columns, deleted: true }, session);
    },

    /** Forgets the passes of a deleted client, before the passes service tells. */
    async removeOfClient(workspaceId: string, clientId: string): Promise<void> {
      await passes.updateMany(
        { workspace_id: workspaceId, client_id: clientId },
        { $set: { deleted: true, client_id: null } },
      );
    },

    /** Hands a client's passes on; where both have one on a template the target's stays its only one. */
    async moveToClient(workspaceId: string, from: string, to: string): Promise<void> {
      const own = { workspace_id: workspaceId, client_id: from };
      const taken = await passes.find({ workspace_id: workspaceId, client_id: to }).toArray();
      const templates = taken.map((row) => row.template_id);
      await passes.updateMany(
        { ...own, template_id: { $in: templates } },
        { $set: { client_id: null } },
      );
      await passes.updateMany(own, { $set: { client_id: to } });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await passes.deleteMany({ workspace_id: workspaceId });
    },
  };
}
