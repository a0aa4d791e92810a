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

/** Whether a pass was on a device, as of something that happened to it. */
export interface Installation {
  passId: string;
  installed: boolean;
  at: Date;
}

interface PassDocument {
  _id: string;
  workspace_id: string;
  client_id: string | null;
  /** null while nothing but its installation is known. */
  template_id: string | null;
  /** Time of the event it was learned from: an older one changes nothing. */
  as_of: Date;
  installed?: boolean;
  /** Time of what `installed` was learned from. */
  installed_as_of?: Date;
  /** Set once the pass is gone: a late event must not bring it back. */
  deleted?: boolean;
}

export function createPassIndexStore(connection: Connection) {
  const passes = connection.collection<PassDocument>(COLLECTION);

  async function write(
    passId: string,
    asOf: Date,
    columns: Omit<PassDocument, '_id' | 'as_of'>,
    session: Session,
  ): Promise<string[]> {
    const known = await passes.findOne({ _id: passId }, { session });
    if (known && (known.deleted || known.as_of > asOf) && !columns.deleted) return [];
    const change = { $set: { ...columns, as_of: asOf } };
    await passes.updateOne({ _id: passId }, change, { upsert: true, session });
    return [known?.client_id, columns.client_id].filter((id) => typeof id === 'string');
  }

  return {
    /** Passes by their ids; `unheard` are those that no event told of yet, which deleted ones are not. */
    async lookUp(passIds: readonly string[]): Promise<{ found: IndexedPass[]; unheard: string[] }> {
      const rows = await passes.find({ _id: { $in: [...passIds] } }).toArray();
      // That it was installed may be told before the pass itself is.
      const told = rows.filter((row) => row.deleted || row.template_id !== null);
      const heard = new Set(told.map((row) => row._id));
      const found = told.filter((row) => !row.deleted).map(toIndexedPass);
      return { found, unheard: passIds.filter((id) => !heard.has(id)) };
    },

    /** Says which clients had the pass before and have it now. */
    async put(pass: IndexedPass, asOf: Date, session: Session): Promise<string[]> {
      const { passId, workspaceId, clientId, templateId } = pass;
      const columns = { workspace_id: workspaceId, client_id: clientId, template_id: templateId };
      return write(passId, asOf, columns, session);
    },

    /** Says which client had the pass. */
    async remove(pass: IndexedPass, asOf: Date, session: Session): Promise<string[]> {
      const { passId, workspaceId, templateId } = pass;
      const columns = { workspace_id: workspaceId, client_id: null, template_id: templateId };
      return write(passId, asOf, { ...columns, deleted: true }, session);
    },

    /**
     * Notes that a pass came onto a device or went from its last one; older news than what is known
     * change nothing. It may be told before the pass itself is. Says which client has the pass.
     */
    async noteInstallation(
      workspaceId: string,
      { passId, installed, at }: Installation,
      session: Session,
    ): Promise<string | null> {
      const known = await passes.findOne({ _id: passId }, { session });
      if (known?.installed_as_of && known.installed_as_of > at) return null;
      const change = {
        $set: { installed, installed_as_of: at },
        $setOnInsert: {
          workspace_id: workspaceId,
          client_id: null,
          template_id: null,
          as_of: new Date(0),
        },
      };
      await passes.updateOne({ _id: passId }, change, { upsert: true, session });
      return known?.client_id ?? null;
    },

    /** The passes of clients, each with whether it is on a device. */
    async ofClients(
      workspaceId: string,
      clientIds: readonly string[],
      session: Session,
    ): Promise<(IndexedPass & { installed: boolean })[]> {
      const filter = { workspace_id: workspaceId, client_id: { $in: [...clientIds] } };
      const rows = await passes.find(filter, { session }).toArray();
      return rows
        .filter((row) => !row.deleted && row.template_id !== null)
        .map((row) => ({ ...toIndexedPass(row), installed: row.installed ?? false }));
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

function toIndexedPass(row: PassDocument): IndexedPass {
  return {
    passId: row._id,
    workspaceId: row.workspace_id,
    clientId: row.client_id,
    templateId: row.template_id!,
  };
}
