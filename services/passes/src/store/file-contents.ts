import { type Connection, collection, type Session } from '@laurel/mongo';
import { picturePerson } from './picture-person';

const AS_BUFFER = { promoteBuffers: true };

interface ContentDocument {
  _id: string;
  workspace_id: string;
  content: Buffer;
}

export const fileContents = collection<ContentDocument>('file_contents', {
  tenant: 'workspace_id',
  person: picturePerson,
  clone: { copied: 'where named' },
  growth: {
    per: 'upload',
    end: 'stays: a card shows it; belongs into an object store',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
});

/** The bytes of files, by the ids of the files. */
export function createFileContents(connection: Connection) {
  const rows = fileContents.open(connection);

  return {
    async insert(
      workspaceId: string,
      { id, content }: { id: string; content: Buffer },
      session: Session,
    ): Promise<void> {
      await rows.insertOne({ _id: id, workspace_id: workspaceId, content }, { session });
    },

    /** The bytes of a file of the workspace. */
    async read(workspaceId: string, id: string): Promise<Buffer | null> {
      return (await rows.of(workspaceId).findOne({ _id: id }, AS_BUFFER))?.content ?? null;
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: id }, { session });
    },
  };
}
