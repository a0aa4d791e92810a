import { type Connection, collection } from '@laurel/mongo';
import type { GoogleKind } from '../domain/wallet/google-pass';

export const googleObjects = collection<GoogleObjectDocument>('google_objects', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its pass names the client',
    merged: 'stays: goes where its pass goes',
    anonymized: 'stays: what Google has of the pass becomes the empty card by it',
    deleted: 'as anonymized',
    exported: 'withheld: the pass says what it shows',
  },
  growth: {
    per: 'pass',
    end: 'stays: goes with its pass',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
});

interface GoogleObjectDocument {
  _id: string;
  workspace_id: string;
  object_id: string;
  kind: GoogleKind;
  digest: string;
  notification: string | null;
  notification_count?: number;
}

/** What Google has of a pass. */
export interface GoogleObject {
  workspaceId: string;
  passId: string;
  objectId: string;
  kind: GoogleKind;
  /** Of what Google was sent last. */
  digest: string;
  /** The text that was shown last. */
  notification: string | null;
  /** How many texts had been pushed then. */
  notificationCount: number;
}

/** Which passes Google has, and what it knows of them; only those are sent changes. */
export function createGoogleObjectStore(connection: Connection) {
  const rows = googleObjects.open(connection);

  return {
    async put(object: GoogleObject): Promise<void> {
      const { passId, workspaceId, objectId, notificationCount, ...columns } = object;
      const row = {
        workspace_id: workspaceId,
        object_id: objectId,
        notification_count: notificationCount,
        ...columns,
      };
      await rows.of(workspaceId).replaceOne({ _id: passId }, row, { upsert: true });
    },

    async find(workspaceId: string, passId: string): Promise<GoogleObject | null> {
      const row = await rows.of(workspaceId).findOne({ _id: passId });
      return row && toObject(row);
    },

    /** Those of some passes that Google has, by the ids of the passes. */
    async findMany(
      workspaceId: string,
      passIds: readonly string[],
    ): Promise<Map<string, GoogleObject>> {
      const found = rows.of(workspaceId).find({ _id: { $in: [...passIds] } });
      return new Map((await found.toArray()).map((row) => [row._id, toObject(row)]));
    },

    async remove(workspaceId: string, passId: string): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: passId });
    },
  };
}

function toObject({
  _id: passId,
  workspace_id: workspaceId,
  object_id: objectId,
  notification_count: notificationCount = 0,
  ...columns
}: GoogleObjectDocument): GoogleObject {
  return { workspaceId, passId, objectId, ...columns, notificationCount };
}
