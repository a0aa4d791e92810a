import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

const FILES = 'files';
const CONTENTS = 'file_contents';
const URLS = 'image_urls';
const AS_BUFFER = { promoteBuffers: true };

export const fileIndexes: readonly CollectionIndexes[] = [
  { collection: FILES, indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }] },
  { collection: CONTENTS, indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }] },
  {
    collection: URLS,
    indexes: [{ key: { workspace_id: 1, url: 1 }, name: 'one_per_url', unique: true }],
  },
];

/** An image that a workspace uploaded, or that was fetched for it. */
export interface StoredFile {
  id: string;
  workspace_id: string;
  filename: string;
  mime_type: string;
  size: number;
  width: number;
  height: number;
  date_created: Date;
}

interface FileDocument extends Omit<StoredFile, 'id'> {
  _id: string;
}
interface ContentDocument {
  _id: string;
  workspace_id: string;
  content: Buffer;
}
interface UrlDocument {
  workspace_id: string;
  url: string;
  file_id: string;
}

export type FileStore = ReturnType<typeof createFileStore>;

/** Files, their bytes apart from what is known of them, and which file was fetched from which address. */
export function createFileStore(connection: Connection) {
  const files = connection.collection<FileDocument>(FILES);
  const contents = connection.collection<ContentDocument>(CONTENTS);
  const urls = connection.collection<UrlDocument>(URLS);

  return {
    async insert({ id, ...file }: StoredFile, content: Buffer, session: Session): Promise<void> {
      const { workspace_id } = file;
      await files.insertOne({ _id: id, ...file }, { session });
      await contents.insertOne({ _id: id, workspace_id, content }, { session });
    },

    async find(workspaceId: string, id: string): Promise<StoredFile | null> {
      const row = await files.findOne({ _id: id, workspace_id: workspaceId });
      return row && toFile(row);
    },

    async unknownAmong(workspaceId: string, ids: readonly string[]): Promise<string[]> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const rows = await files.find(filter, { projection: { _id: 1 } }).toArray();
      const known = new Set(rows.map((row) => row._id));
      return ids.filter((id) => !known.has(id));
    },

    /** The bytes of a file of the workspace. */
    async read(workspaceId: string, id: string): Promise<Buffer | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      return (await contents.findOne(filter, AS_BUFFER))?.content ?? null;
    },

    /** A file by its id alone, which is all that an asset is opened with. */
    async open(id: string): Promise<{ content: Buffer; mime_type: string } | null> {
      const file = await files.findOne({ _id: id });
      const row = file && (await contents.findOne({ _id: id }, AS_BUFFER));
      return row && { content: row.content, mime_type: file.mime_type };
    },

    async fetchedFrom(workspaceId: string, url: string): Promise<string | null> {
      const row = await urls.findOne({ workspace_id: workspaceId, url });
      return row?.file_id ?? null;
    },

    /** Remembers what was fetched; of two at once the later one stands, both are the same image. */
    async noteFetched(workspaceId: string, url: string, fileId: string): Promise<void> {
      const filter = { workspace_id: workspaceId, url };
      await urls.updateOne(filter, { $set: { file_id: fileId } }, { upsert: true });
    },

    async forgetFetched(workspaceId: string, url: string): Promise<void> {
      await urls.deleteMany({ workspace_id: workspaceId, url });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      for (const rows of [urls, contents, files])
        await rows.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function toFile({ _id, ...file }: FileDocument): StoredFile {
  return { id: _id, ...file };
}
