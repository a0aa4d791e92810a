import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { afterCursor, cursorOf } from './pass-document';

const FILES = 'files';
const CONTENTS = 'file_contents';
const URLS = 'image_urls';
const AS_BUFFER = { promoteBuffers: true };
const NEWEST = { date_created: -1, _id: -1 } as const;

export const fileIndexes: readonly CollectionIndexes[] = [
  {
    collection: FILES,
    growth: {
      per: 'upload',
      end: 'stays: a card shows it',
      shardKey: 'hashed _id',
    },
    indexes: [{ key: { workspace_id: 1, ...NEWEST }, name: 'newest' }],
  },
  {
    collection: CONTENTS,
    growth: {
      per: 'upload',
      end: 'stays: a card shows it; belongs into an object store',
      shardKey: 'hashed _id',
    },
    indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
  },
  {
    collection: URLS,
    growth: {
      per: 'image from elsewhere',
      end: 'stays: a card shows it',
      shardKey: ['workspace_id', 'url'],
    },
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

    /** Newest first; one more than `limit` says that there is more. */
    async list(
      workspaceId: string,
      { limit, cursor }: { limit: number; cursor?: string | undefined },
    ): Promise<{ files: StoredFile[]; nextCursor: string | null }> {
      const after = cursor === undefined ? {} : afterCursor(cursor);
      const filter = { workspace_id: workspaceId, ...after };
      const rows = await files
        .find(filter)
        .sort(NEWEST)
        .limit(limit + 1)
        .toArray();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const nextCursor = rows.length > limit && last ? cursorOf(last) : null;
      return { files: shown.map(toFile), nextCursor };
    },

    /** Takes it away with its bytes; false where there is none of that id. */
    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId };
      await contents.deleteOne(filter, { session });
      await urls.deleteMany({ workspace_id: workspaceId, file_id: id }, { session });
      return (await files.deleteOne(filter, { session })).deletedCount === 1;
    },

    async exists(id: string): Promise<boolean> {
      return (await files.findOne({ _id: id }, { projection: { _id: 1 } })) !== null;
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
