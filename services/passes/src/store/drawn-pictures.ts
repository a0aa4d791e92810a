import { createHash } from 'node:crypto';
import { type Connection, collection, type Session } from '@laurel/mongo';

export const drawnPictures = collection<DrawnDocument>('drawn_pictures', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'moves',
    anonymized: 'by hand: use-cases/pass/forget-client.ts',
    deleted: 'as anonymized',
    exported: 'withheld: the pass is shown with what it names',
  },
  growth: {
    per: 'picture of one client alone, such as a photo',
    end: 'stays: goes with its client',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
    { key: { workspace_id: 1, source_sha256: 1 }, name: 'of_source' },
  ],
});

interface DrawnDocument {
  _id: string;
  workspace_id: string;
  client_id: string;
  /** The id or address of the picture, which may be longer than an index takes. */
  source: string;
  source_sha256: string;
}

/** A client, and the id or address of a picture that their card showed. */
export interface DrawnPicture {
  clientId: string;
  source: string;
}

/**
 * The pictures that cards showed of one client: what named them, a custom field, is emptied before anybody here hears that the
 * client is to be forgotten.
 */
export function createDrawnPictureStore(connection: Connection) {
  const rows = drawnPictures.open(connection);

  return {
    /** Repeating it changes nothing. */
    async note(workspaceId: string, { clientId, source }: DrawnPicture): Promise<void> {
      const source_sha256 = sha256Of(source);
      const drawn = { $setOnInsert: { client_id: clientId, source, source_sha256 } };
      const _id = `${clientId}:${source_sha256}`;
      await rows.of(workspaceId).updateOne({ _id }, drawn, { upsert: true });
    },

    async sourcesOf(workspaceId: string, clientId: string, session: Session): Promise<string[]> {
      const found = rows.of(workspaceId).find({ client_id: clientId }, { session });
      return [...new Set((await found.toArray()).map(({ source }) => source))];
    },

    async isOfOthers(
      workspaceId: string,
      { clientId, source }: DrawnPicture,
      session: Session,
    ): Promise<boolean> {
      const others = { source_sha256: sha256Of(source), client_id: { $ne: clientId } };
      return (await rows.of(workspaceId).findOne(others, { session })) !== null;
    },

    async removeOf(workspaceId: string, clientId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ client_id: clientId }, { session });
    },
  };
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
