import { type Connection, collection } from '@laurel/mongo';

interface ChunkDocument {
  _id: string;
  workspace_id: string;
  job_id: string;
  index: number;
  size: number;
  bytes: Buffer;
}

const WITH_ITS_IMPORT = 'stays: a file is gone once its import is over';

export const importChunks = collection<ChunkDocument>('import_chunks', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its rows name whom they will make',
    merged: WITH_ITS_IMPORT,
    anonymized: WITH_ITS_IMPORT,
    deleted: 'as anonymized',
    exported: 'withheld: a file is gone once its import is over',
  },
  growth: {
    per: 'piece of an upload',
    end: 'when its import ends',
    shardKey: ['job_id'],
  },
  indexes: [{ key: { job_id: 1, index: 1 }, name: 'of_job', unique: true }],
});

/** Names an import. */
export interface ImportRef {
  _id: string;
  workspace_id: string;
}

export type ImportFiles = ReturnType<typeof createImportFiles>;

/** Uploaded files, in pieces. */
export function createImportFiles(connection: Connection) {
  const chunks = importChunks.open(connection);

  return {
    /** Keeps a piece of the upload; the same piece again changes nothing. */
    async put({ _id: jobId, workspace_id }: ImportRef, index: number, bytes: Buffer) {
      const chunk = { workspace_id, job_id: jobId, index, size: bytes.length, bytes };
      const which = { _id: `${jobId}:${index}` };
      await chunks.of(workspace_id).replaceOne(which, chunk, { upsert: true });
    },

    /** Sizes of the pieces, by index. */
    async sizes({ _id: jobId, workspace_id: workspaceId }: ImportRef): Promise<number[]> {
      const projection = { index: 1, size: 1 };
      const own = chunks.of(workspaceId).find({ job_id: jobId }, { projection });
      return (await own.sort({ index: 1 }).toArray()).map((row) => row.size);
    },

    async read(
      { _id: jobId, workspace_id: workspaceId }: ImportRef,
      index: number,
    ): Promise<Buffer> {
      const which = { _id: `${jobId}:${index}` };
      const row = await chunks.of(workspaceId).findOne(which, { promoteBuffers: true });
      if (!row) throw new Error(`piece ${index} of import ${jobId} is missing`);
      return row.bytes;
    },

    async drop({ _id, workspace_id: workspaceId }: ImportRef): Promise<void> {
      await chunks.of(workspaceId).deleteMany({ job_id: _id });
    },

    /** The imports that have any piece here. */
    named: (): Promise<string[]> => chunks.ofEverybody.distinct('job_id', {}),

    async dropAll(jobIds: readonly string[]): Promise<void> {
      if (jobIds.length > 0) await chunks.ofEverybody.deleteMany({ job_id: { $in: [...jobIds] } });
    },
  };
}
