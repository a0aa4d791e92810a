import { type Connection, collection, type Session } from '@laurel/mongo';
import { picturePerson } from './picture-person';

interface UrlDocument {
  _id: unknown;
  workspace_id: string;
  url: string;
  file_id: string;
}

export const imageUrls = collection<UrlDocument>('image_urls', {
  tenant: 'workspace_id',
  person: picturePerson,
  growth: {
    per: 'image from elsewhere',
    end: 'stays: a card shows it',
    shardKey: ['workspace_id', 'url'],
  },
  indexes: [{ key: { workspace_id: 1, url: 1 }, name: 'one_per_url', unique: true }],
});

/** Which file was fetched from which address. */
export function createImageUrls(connection: Connection) {
  const rows = imageUrls.open(connection);

  return {
    async fetchedFrom(workspaceId: string, url: string): Promise<string | null> {
      return (await rows.of(workspaceId).findOne({ url }))?.file_id ?? null;
    },

    /** Remembers what was fetched; of two at once the later one stands, both are the same image. */
    async noteFetched(workspaceId: string, url: string, fileId: string): Promise<void> {
      const fetched = { $set: { file_id: fileId } };
      await rows.of(workspaceId).updateOne({ url }, fetched, { upsert: true });
    },

    async forgetFetched(workspaceId: string, url: string): Promise<void> {
      await rows.of(workspaceId).deleteMany({ url });
    },

    async forgetFile(workspaceId: string, fileId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ file_id: fileId }, { session });
    },
  };
}
