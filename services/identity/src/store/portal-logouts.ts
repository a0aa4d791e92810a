import { type Connection, collection } from '@laurel/mongo';

interface PortalLogoutRow {
  /** `<workspace>:<session>`. */
  _id: string;
  workspace_id: string;
  /** When the session has ended by itself: then it is not asked for any more. */
  purge_at: Date;
}

export const portalLogouts = collection<PortalLogoutRow>('portal_logouts', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: it is about sessions in the source',
  growth: {
    per: 'sign-out of the portal',
    end: 'when the session would have ended',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1 }, name: 'workspace' },
    { key: { purge_at: 1 }, name: 'purge_at_ttl', expireAfterSeconds: 0 },
  ],
});

/** Portal sessions that their clients have ended. */
export function createPortalLogoutStore(connection: Connection) {
  const rows = portalLogouts.open(connection);
  const idOf = (workspaceId: string, sessionId: string): string => `${workspaceId}:${sessionId}`;
  return {
    async note(workspaceId: string, sessionId: string, purgeAt: Date): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne(
          { _id: idOf(workspaceId, sessionId) },
          { $set: { purge_at: purgeAt } },
          { upsert: true },
        );
    },
    has: (workspaceId: string, sessionId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ _id: idOf(workspaceId, sessionId) }),
  };
}
