import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'passes';

export const passIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, client_id: 1 }, name: 'of_client' }],
};

interface PassDocument {
  _id: string;
  workspace_id: string;
  /** null: nobody's, or gone. */
  client_id: string | null;
  template_id: string;
  as_of: string;
  deleted: boolean;
}

/** What a pass event says. `asOf` is its position: an older one changes nothing. */
export interface PassReport {
  passId: string;
  clientId: string | null;
  templateId: string;
  asOf: string;
  deleted: boolean;
}

/** Whose pass is on which template: a read model of the passes service, for filtering clients. */
export function createPassStore(connection: Connection) {
  const passes = connection.collection<PassDocument>(COLLECTION);

  return {
    /** Takes a report over. Returns the clients whose templates may have changed by it. */
    async put(
      workspaceId: string,
      { passId, clientId, templateId, asOf, deleted }: PassReport,
      session: Session,
    ): Promise<string[]> {
      const known = await passes.findOne({ _id: passId, workspace_id: workspaceId }, { session });
      if (known && (known.deleted || (known.as_of >= asOf && !deleted))) return [];
      const owner = deleted ? null : clientId;
      const columns = { workspace_id: workspaceId, client_id: owner, template_id: templateId };
      const document = { ...columns, as_of: asOf, deleted };
      const filter = { _id: passId, workspace_id: workspaceId };
      await passes.replaceOne(filter, document, { upsert: true, session });
      return [known?.client_id, owner].filter((id) => typeof id === 'string');
    },

    async templatesOf(workspaceId: string, clientId: string, session: Session): Promise<string[]> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      const rows = await passes.find(filter, { session }).toArray();
      return [...new Set(rows.map((row) => row.template_id))].sort();
    },

    async moveToClient(
      workspaceId: string,
      from: string,
      to: string,
      session: Session,
    ): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: from };
      await passes.updateMany(filter, { $set: { client_id: to } }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await passes.deleteMany({ workspace_id: workspaceId });
    },
  };
}
