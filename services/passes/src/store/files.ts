import { type Connection, collection, cutPage, type Rows, type Session } from '@laurel/mongo';
import { createFileContents } from './file-contents';
import { createImageUrls } from './image-urls';
import { afterCursor, positionOf } from './pass-document';
import { picturePerson } from './picture-person';

const NEWEST = { date_created: -1, _id: -1 } as const;

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
  /** In hex, of the bytes that came and of those that are kept: by either the same picture is found again. */
  sha256s: string[];
  /** How often it was taken up: a write that a delete at the same moment runs into. */
  taken_up?: number;
}

export const files = collection<FileDocument>('files', {
  tenant: 'workspace_id',
  person: picturePerson,
  clone: { copied: 'where named' },
  growth: {
    per: 'upload',
    end: 'stays: a card shows it',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, ...NEWEST }, name: 'newest' },
    { key: { workspace_id: 1, sha256s: 1 }, name: 'digests' },
  ],
});

/** Files, their bytes apart from what is known of them, and which file was fetched from which address. */
export function createFileStore(connection: Connection) {
  const rows = files.open(connection);
  const contents = createFileContents(connection);
  const { forgetFile, ...urls } = createImageUrls(connection);

  return {
    ...urls,
    ...createFileLists(rows),
    read: contents.read,

    async insert(
      { id, ...file }: StoredFile & { sha256s: string[] },
      content: Buffer,
      session: Session,
    ): Promise<void> {
      await rows.insertOne({ _id: id, ...file }, { session });
      await contents.insert(file.workspace_id, { id, content }, session);
    },

    /** Takes it away with its bytes; false where there is none of that id. */
    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      await contents.remove(workspaceId, id, session);
      await forgetFile(workspaceId, id, session);
      return (await rows.of(workspaceId).deleteOne({ _id: id }, { session })).deletedCount === 1;
    },

    /** Writes to files so that none of them can be deleted at the same moment; the ids of those that are gone. */
    async touch(workspaceId: string, ids: readonly string[], session: Session): Promise<string[]> {
      const gone: string[] = [];
      for (const id of [...new Set(ids)].sort()) {
        const own = rows.of(workspaceId);
        const { matchedCount } = await own.updateOne(
          { _id: id },
          { $inc: { taken_up: 1 } },
          { session },
        );
        if (matchedCount === 0) gone.push(id);
      }
      return gone;
    },

    /** A file by its id alone, which is all that an asset is opened with. */
    async open(id: string): Promise<{ content: Buffer; mime_type: string } | null> {
      const file = await rows.ofEverybody.findOne({ _id: id });
      const content = file && (await contents.read(file.workspace_id, id));
      return content && { content, mime_type: file.mime_type };
    },
  };
}

function createFileLists(rows: Rows<FileDocument>) {
  return {
    async find(workspaceId: string, id: string): Promise<StoredFile | null> {
      const row = await rows.of(workspaceId).findOne({ _id: id });
      return row && toFile(row);
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      wanted: { limit: number; cursor?: string | undefined; sha256?: string | undefined },
    ): Promise<{ files: StoredFile[]; nextCursor: string | null }> {
      const { limit, cursor, sha256 } = wanted;
      const after = cursor === undefined ? {} : afterCursor(cursor);
      const such = sha256 === undefined ? {} : { sha256s: sha256 };
      const found = rows
        .of(workspaceId)
        .find({ ...after, ...such })
        .sort(NEWEST);
      const some = await found.limit(limit + 1).toArray();
      const { rows: shown, nextCursor } = cutPage(some, limit, positionOf);
      return { files: shown.map(toFile), nextCursor };
    },

    /** Whose file it is; null where there is none. */
    async workspaceOf(id: string): Promise<string | null> {
      const options = { projection: { workspace_id: 1 } };
      const row = await rows.ofEverybody.findOne({ _id: id }, options);
      return row?.workspace_id ?? null;
    },

    async unknownAmong(workspaceId: string, ids: readonly string[]): Promise<string[]> {
      const options = { projection: { _id: 1 } };
      const found = rows.of(workspaceId).find({ _id: { $in: [...ids] } }, options);
      const known = new Set((await found.toArray()).map((row) => row._id));
      return ids.filter((id) => !known.has(id));
    },
  };
}

function toFile({ _id, sha256s: _digests, taken_up: _count, ...file }: FileDocument): StoredFile {
  return { id: _id, ...file };
}
