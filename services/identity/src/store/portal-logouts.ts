import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

interface PortalLogoutRow {
  /** `<workspace>:<session>`. */
  _id: string;
  workspace_id: string;
  /** When the session has ended by itself: then nobody asks any more. */
  purge_at: Date;
}

export const portalLogoutIndexes: CollectionIndexes = {
  collection: 'portal_logouts',
  indexes: [
    { key: { workspace_id: 1 }, name: 'workspace' },
    { key: { purge_at: 1 }, name: 'purge_at_ttl', expireAfterSeconds: 0 },
  ],
};

/** Portal sessions that their clients have ended. */
export function createPortalLogoutStore(connection: Connection) {
  const rows = connection.collection<PortalLogoutRow>('portal_logouts');
  const idOf = (workspaceId: string, sessionId: string): string => `${workspaceId}:${sessionId}`;
  return {
    async note(workspaceId: string, sessionId: string, purgeAt: Date): Promise<void> {
      await rows.updateOne(
        { _id: idOf(workspaceId, sessionId) },
        { $set: { workspace_id: workspaceId, purge_at: purgeAt } },
        { upsert: true },
      );
    },
    has: async (workspaceId: string, sessionId: string): Promise<boolean> =>
      (await rows.findOne({ _id: idOf(workspaceId, sessionId) })) !== null,
    async removeAll(workspaceId: string, session: Session): Promise<void> {
      await rows.deleteMany({ workspace_id: workspaceId }, { session });
    },
  };
}

export type PortalLogoutStore = ReturnType<typeof createPortalLogoutStore>;
