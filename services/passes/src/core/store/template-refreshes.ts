import { newId } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const COLLECTION = 'template_refreshes';

export const templateRefreshIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
};

interface TemplateRefreshDocument {
  _id: string;
  workspace_id: string;
  /** Another one for each time it was asked for. */
  run: string;
  /** The last pass that was asked an update for; absent at the start. */
  after?: string;
}

/** A walk over the passes of one template that are all to be drawn again. */
export interface TemplateRefresh {
  templateId: string;
  workspaceId: string;
  run: string;
  after: string | null;
}

export type TemplateRefreshStore = ReturnType<typeof createTemplateRefreshStore>;

export function createTemplateRefreshStore(connection: Connection) {
  const refreshes = connection.collection<TemplateRefreshDocument>(COLLECTION);

  return {
    /** Asks for a walk; one that is under way starts over. */
    async ask(workspaceId: string, templateId: string, session?: Session): Promise<void> {
      await refreshes.updateOne(
        { _id: templateId },
        {
          $setOnInsert: { workspace_id: workspaceId },
          $set: { run: newId() },
          $unset: { after: '' },
        },
        { upsert: true, ...(session ? { session } : {}) },
      );
    },

    async list(max: number): Promise<TemplateRefresh[]> {
      const rows = await refreshes.find({}).limit(max).toArray();
      return rows.map((row) => ({
        templateId: row._id,
        workspaceId: row.workspace_id,
        run: row.run,
        after: row.after ?? null,
      }));
    },

    /** Remembers how far a walk is, unless it was asked for again. */
    async advance({ templateId, run }: TemplateRefresh, after: string): Promise<void> {
      await refreshes.updateOne({ _id: templateId, run }, { $set: { after } });
    },

    /** Ends a walk, unless it was asked for again. */
    async finish({ templateId, run }: TemplateRefresh): Promise<void> {
      await refreshes.deleteOne({ _id: templateId, run });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await refreshes.deleteMany({ workspace_id: workspaceId });
    },
  };
}
