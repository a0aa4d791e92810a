import type { ImportStatus } from '@laurel/contract';
import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { ImportFile } from '../domain/file-format';
import type { Mapping } from '../domain/import-mapping';
import { createImportFiles, type ImportFiles, type ImportRef } from './import-files';

const DUE = { column: 'lease_until' };
/** An error log longer than this does not help; `failed` counts on. */
export const IMPORT_ERRORS_MAX = 1_000;

/** So many a list of imports shows of each. */
const ERRORS_LISTED = 20;

export interface ImportError {
  row: number;
  message: string;
}

/** An upload of clients, and how far its rows have been taken over. */
export interface ImportJob {
  _id: string;
  workspace_id: string;
  status: 'uploading' | ImportStatus;
  format: 'csv' | 'ndjson';
  mode: 'create' | 'upsert';
  chunks: number;
  /** Rows in the file; null until they were counted. */
  total: number | null;
  processed: number;
  created: number;
  updated: number;
  failed: number;
  errors: ImportError[];
  /** Absent where every column is read under its own name. */
  mapping?: Mapping;
  /** Of new clients whose row does not say it; absent where they do not take part. */
  loyalty_program_enabled?: true;
  /** Null until it was looked at. */
  file: ImportFile | null;
  /** Column names of a CSV; null until its first line was read. */
  header: string[] | null;
  /** Byte of the file's text, as UTF-8, at which the first row begins that is not yet taken over. */
  next_byte: number;
  /** How often work on it ended in a fault since it took rows; absent until it did. */
  faults?: number;
  date_created: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** While it has one the job is to be worked on, before that moment only by its holder. */
  lease_until?: Date;
  lease?: string;
}

/** An import in the hands of one worker. */
export type ClaimedImport = ImportJob & { lease: string };

export interface ImportProgress {
  next_byte: number;
  processed: number;
  created: number;
  updated: number;
  failed: number;
  errors: ImportError[];
}

export const importJobs = collection<ImportJob>('import_jobs', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: {
    per: 'upload',
    end: 'stays: listed; its chunks go when it ends',
    shardKey: 'whole',
  },
  indexes: [dueIndex(DUE), { key: { workspace_id: 1, _id: -1 }, name: 'newest' }],
  retired: ['workspace'],
});

/** How an import came to its end. */
export interface ImportEnd {
  status: 'completed' | 'failed';
  at: Date;
  /** Of the row that ended it, 0 for the file as a whole. */
  error?: ImportError;
}

/** Of imports in other states the file is not needed any more. */
const WITH_FILE = ['uploading', 'pending', 'running'] as const satisfies ImportJob['status'][];

/** No page shows more of them. */
const SHOWN_MAX = 20;

export type ImportStore = ReturnType<typeof createImportStore>;

export function createImportStore(connection: Connection) {
  const jobs = importJobs.open(connection);
  const files = createImportFiles(connection);
  const due = createDue<ImportJob, ClaimedImport>(connection, importJobs.collection, {
    ...DUE,
    onClaim: { $set: { status: 'running' } },
    read: (job) => job,
  });

  return {
    /** Imports that wait for a worker. */
    due,

    ...createImportLists(jobs),
    ...createImportSteps(jobs),
    ...createImportEnds(jobs, files),
    putChunk: files.put,
    chunkSizes: files.sizes,
    readChunk: files.read,

    async insert(job: ImportJob): Promise<void> {
      await jobs.insertOne(job);
    },

    /** Ends the upload: from now on the job is to be worked on. False where it is no upload any more. */
    async enqueue(
      { _id, workspace_id: workspaceId }: ImportRef,
      { chunks, now, session }: { chunks: number; now: Date; session: Session },
    ): Promise<boolean> {
      due.wake(session);
      const { matchedCount } = await jobs
        .of(workspaceId)
        .updateOne(
          { _id, status: 'uploading' },
          { $set: { status: 'pending', chunks, lease_until: now } },
          { session },
        );
      return matchedCount === 1;
    },

    /** Drops what is left of the files of imports that are over or were never to be. */
    async dropLeftFiles(): Promise<void> {
      // The pieces are read first: a piece that is kept has its import made before.
      const named = await files.named();
      const open = { _id: { $in: named }, status: { $in: [...WITH_FILE] } };
      const wanted = await jobs.ofEverybody.distinct('_id', open);
      await files.dropAll(named.filter((id) => !wanted.includes(id)));
    },
  };
}

function createImportLists(jobs: Rows<ImportJob>) {
  return {
    /** Those that failed since a moment. */
    failedSince: (workspaceId: string, since: Date): Promise<ImportJob[]> =>
      jobs
        .of(workspaceId)
        .find({ status: 'failed', finished_at: { $gte: since } })
        .limit(SHOWN_MAX)
        .toArray(),

    find(workspaceId: string, id: string): Promise<ImportJob | null> {
      return jobs.of(workspaceId).findOne({ _id: id });
    },

    /** Newest first, from behind one of them on; each with the first of its errors. Uploads that never ended are none. */
    list(
      workspaceId: string,
      { limit, after }: { limit: number; after?: string | undefined },
    ): Promise<ImportJob[]> {
      const beyond = after === undefined ? {} : { _id: { $lt: after } };
      return jobs
        .of(workspaceId)
        .find({ ...beyond, status: { $ne: 'uploading' } })
        .sort({ _id: -1 })
        .limit(limit)
        .project<ImportJob>({ errors: { $slice: ERRORS_LISTED } })
        .toArray();
    },

    isRunning: ({ _id, workspace_id: workspaceId }: ImportRef): Promise<boolean> =>
      jobs.of(workspaceId).has({ _id, status: 'running' }),

    /** Uploads that were begun before a moment and never ended. */
    async staleUploads(before: Date, limit: number): Promise<ImportJob[]> {
      const filter = { status: 'uploading' as const, date_created: { $lt: before } };
      return jobs.ofEverybody.find(filter).limit(limit).toArray();
    },
  };
}

/** How far an import is. */
function createImportSteps(jobs: Rows<ImportJob>) {
  return {
    /** False when the job was ended meanwhile. */
    async begin(
      { _id, workspace_id: workspaceId, lease }: ClaimedImport,
      columns: Pick<ImportJob, 'total' | 'file' | 'header' | 'next_byte' | 'started_at'>,
    ): Promise<boolean> {
      const begun = await jobs
        .of(workspaceId)
        .updateOne({ _id, lease, status: 'running' }, { $set: columns });
      return begun.matchedCount === 1;
    },

    /** Work on it ended in a fault; says how many there were in a row. */
    async noteFault({ _id, workspace_id: workspaceId }: ImportRef): Promise<number> {
      const change = { $inc: { faults: 1 } };
      const running = { _id, status: 'running' as const };
      const row = await jobs
        .of(workspaceId)
        .findOneAndUpdate(running, change, { returnDocument: 'after' });
      return row?.faults ?? 0;
    },

    /**
     * Notes, in the transaction that wrote the rows, that they are done. False when somebody else has
     * gone past this place meanwhile: then the rows must not be written.
     */
    async advance(
      { _id, workspace_id: workspaceId, next_byte: fromByte }: ImportJob,
      progress: ImportProgress,
      { leaseUntil, session }: { leaseUntil: Date; session: Session },
    ): Promise<boolean> {
      const { next_byte, processed, created, updated, failed, errors } = progress;
      const { matchedCount } = await jobs.of(workspaceId).updateOne(
        { _id, next_byte: fromByte, status: 'running' },
        {
          $set: { next_byte, lease_until: leaseUntil, faults: 0 },
          $inc: { processed, created, updated, failed },
          ...(errors.length > 0 ? { $push: { errors: { $each: errors } } } : {}),
        },
        { session },
      );
      return matchedCount === 1;
    },
  };
}

/** The file goes with the end of its import. */
function createImportEnds(jobs: Rows<ImportJob>, files: ImportFiles) {
  return {
    /** Ends a job that is still running. */
    async finish(job: ImportRef, { status, at, error }: ImportEnd): Promise<void> {
      const ofRow = error && error.row > 0 ? { $inc: { processed: 1, failed: 1 } } : {};
      const { matchedCount } = await jobs.of(job.workspace_id).updateOne(
        { _id: job._id, status: 'running' },
        {
          $set: { status, finished_at: at },
          $unset: { lease_until: '', lease: '' },
          ...(error ? { $push: { errors: error } } : {}),
          ...ofRow,
        },
      );
      if (matchedCount === 1) await files.drop(job);
    },

    /** Ends a job that waits or runs; null when it has ended already. The rows taken by then stay. */
    cancel: (
      workspaceId: string,
      { id, at }: { id: string; at: Date },
      session: Session,
    ): Promise<ImportJob | null> =>
      jobs.of(workspaceId).findOneAndUpdate(
        { _id: id, status: { $in: ['pending', 'running'] } },
        {
          $set: { status: 'cancelled', finished_at: at },
          $unset: { lease_until: '', lease: '' },
        },
        { session, returnDocument: 'after' },
      ),

    /** What was uploaded for a job that has ended. */
    dropFile: (workspaceId: string, id: string) =>
      files.drop({ _id: id, workspace_id: workspaceId }),

    async abandon(workspaceId: string, id: string): Promise<void> {
      const filter = { _id: id, status: 'uploading' as const };
      const { deletedCount } = await jobs.of(workspaceId).deleteOne(filter);
      if (deletedCount > 0) await files.drop({ _id: id, workspace_id: workspaceId });
    },
  };
}
