import { createSharedLookups } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';

const COLLECTION = 'merges';

interface MergeDocument {
  /** The client that is no more. */
  _id: string;
  workspace_id: string;
  target_id: string;
}

/** Which client became part of which; for redemptions that were on their way when it happened. */
export function createMergeStore(connection: Connection) {
  const merges = connection.collection<MergeDocument>(COLLECTION);
  const lookUp = createSharedLookups<string, MergeDocument>(async (clientIds) => {
    const rows = await merges.find({ _id: { $in: [...clientIds] } }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  });

  return {
    async note(workspaceId: string, sourceId: string, targetId: string): Promise<void> {
      await merges.updateOne(
        { _id: sourceId, workspace_id: workspaceId },
        { $set: { target_id: targetId } },
        { upsert: true },
      );
    },

    /** Who the client is now: itself, or whom it became part of. All who ask while a read is under way share the next one. */
    async currentOf(workspaceId: string, clientId: string): Promise<string> {
      const merge = await lookUp(clientId);
      return merge?.workspace_id === workspaceId
        ? this.currentOf(workspaceId, merge.target_id)
        : clientId;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await merges.deleteMany({ workspace_id: workspaceId });
    },
  };
}
