import { newId } from '@laurel/lifecycle';
import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, type DueSpec, dueIndex } from '@laurel/work';

const DUE: DueSpec = { column: 'not_before', absentIsDue: true };

export const templateRefreshes = collection<TemplateRefreshDocument>('template_refreshes', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: there are no passes to draw',
  growth: {
    per: 'template that was changed',
    end: 'when all of its passes are drawn',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }, dueIndex(DUE)],
});

interface TemplateRefreshDocument {
  _id: string;
  workspace_id: string;
  /** Another one for each time it was asked for. */
  run: string;
  /** The last pass that was asked an update for; absent at the start. */
  after?: string;
  /** The next step may not be taken before this; also the end of a claim. Absent at the start. */
  not_before?: Date;
  /** Whose hands it is in. */
  lease?: string;
}

/** A walk over the passes of one template that are all to be drawn again. */
export interface TemplateRefresh {
  templateId: string;
  workspaceId: string;
  run: string;
  after: string | null;
  lease: string;
}

export function createTemplateRefreshStore(connection: Connection) {
  const rows = templateRefreshes.open(connection);
  const due = createDue<TemplateRefreshDocument, TemplateRefresh>(
    connection,
    templateRefreshes.collection,
    {
      ...DUE,
      read: (row) => ({
        templateId: row._id,
        workspaceId: row.workspace_id,
        run: row.run,
        after: row.after ?? null,
        lease: row.lease,
      }),
    },
  );

  /** The walk in the hands of the replica that claimed this step; not once it was asked for again, or is somebody else's. */
  const held = ({ templateId, run, lease }: TemplateRefresh) => ({ _id: templateId, run, lease });

  return {
    /** Walks that may go a step on. */
    due,

    /** Asks for a walk; one that is under way starts over. */
    async ask(workspaceId: string, templateId: string, session?: Session): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne(
          { _id: templateId },
          { $set: { run: newId() }, $unset: { after: '', not_before: '' } },
          { upsert: true, session },
        );
      due.wake(session);
    },

    /** Remembers how far a walk is and lets it go on: one that stood still must not set it back to where it was then. */
    async advance(refresh: TemplateRefresh, after: string): Promise<void> {
      const change = { $set: { after }, $unset: { not_before: '' as const } };
      await rows.of(refresh.workspaceId).updateOne(held(refresh), change);
      due.wake();
    },

    /** Lets a walk stand until then. */
    async postpone(refresh: TemplateRefresh, until: Date): Promise<void> {
      const change = { $set: { not_before: until } };
      await rows.of(refresh.workspaceId).updateOne(held(refresh), change);
      due.wake(undefined, until);
    },

    /** Ends a walk. */
    async finish(refresh: TemplateRefresh): Promise<void> {
      await rows.of(refresh.workspaceId).deleteOne(held(refresh));
    },
  };
}
