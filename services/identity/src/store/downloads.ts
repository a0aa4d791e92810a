import type { JsonObject } from '@laurel/errors';
import { type Connection, collection } from '@laurel/mongo';

export interface DownloadRow {
  /** SHA-256 of the token in the address. */
  _id: string;
  workspace_id: string;
  user_id: string;
  /** What the asker came with. */
  session_id: string | null;
  token_sha256: string | null;
  kind: string;
  /** JSON: the asker names members as the operation behind it does, which a store may not take. */
  params: string;
  expires_at: Date;
}

export const downloads = collection<DownloadRow>('downloads', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: it opens what is of the source',
  growth: { per: 'file that is fetched', end: 'a minute', shardKey: 'hashed _id' },
  indexes: [
    { key: { workspace_id: 1 }, name: 'of_workspace' },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
  ],
});

/** What may be fetched once by the holder of the address. */
export interface Download {
  workspaceId: string;
  userId: string;
  sessionId: string | null;
  tokenSha256: string | null;
  kind: string;
  params: JsonObject;
}

export function createDownloadStore(connection: Connection) {
  const rows = downloads.open(connection);
  return {
    async insert(workspaceId: string, row: Omit<DownloadRow, 'workspace_id'>): Promise<void> {
      await rows.insertOne({ ...row, workspace_id: workspaceId });
    },

    /** Takes it out: of many who come with one address, one gets it. Null where there is none any more. */
    async take(sha256: string, now: Date): Promise<Download | null> {
      // The address says whose it is.
      const found = await rows.ofEverybody.findOneAndDelete({
        _id: sha256,
        expires_at: { $gt: now },
      });
      if (!found) return null;
      return {
        workspaceId: found.workspace_id,
        userId: found.user_id,
        sessionId: found.session_id,
        tokenSha256: found.token_sha256,
        kind: found.kind,
        params: JSON.parse(found.params) as JsonObject,
      };
    },
  };
}
