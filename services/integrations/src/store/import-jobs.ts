import type { ImportStatus } from '@laurel/contract';
import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { createDue, type Due, dueIndex } from '@laurel/work';

/** A longer log is not read. */
export const ERROR_LOG_MAX = 1_000;

export interface ImportFault {
  /** Empty where no single transaction is at fault. */
  transaction_id: string;
  message: string;
}

/** A wish to take over what a provider knows of the past, and how far that is. */
export interface ImportJobRow {
  _id: string;
  workspace_id: string;
  provider: string;
  status: ImportStatus;
  phase: 'fetching' | 'processing';
  date_from: string;
  date_to: string;
  location_ids: number[];
  /** Pages fetched so far, and where the next one begins. */
  pages: number;
  cursor: string | null;
  /** Pages in a row that had nothing new. */
  barren_pages?: number;
  fetch_total: number | null;
  fetch_done: number;
  /** The size of what was fetched, as JSON; absent in rows of before. */
  fetched_bytes?: number;
  /** Also the position of the next transaction to be processed. */
  processed_count: number;
  imported_count: number;
  /** Sales passed over since the last one that was answered, be it that it is there already; absent where none was yet. */
  failed_in_row?: number;
  error_log: ImportFault[];
  /** Faults of the provider since the last success. */
  failures: number;
  date_created: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** Absent when it is at its end. Also the end of the lease of the replica that works on it. */
  due_at?: Date;
  lease?: string;
}

export type LeasedImport = ImportJobRow & { lease: string };

/** What a dead process, or a replica that looked a moment too early, costs those that wait; as a rule they are called. */
const WAIT_MS = 30_000;

/** What became of the next transactions of an import. */
export interface ImportProgress {
  processed: number;
  imported: number;
  faults: ImportFault[];
  /** See `failed_in_row`; undefined where none was answered yet. */
  failedInRow?: number;
}

export const importJobs = collection<ImportJobRow>('import_jobs', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: {
    per: 'import',
    end: 'stays: listed',
    shardKey: 'whole',
  },
  indexes: [dueIndex(), { key: { workspace_id: 1, provider: 1, _id: -1 }, name: 'newest' }],
});

/** Jobs that have not ended. */
const UNDER_WAY: { status: { $in: ImportStatus[] } } = { status: { $in: ['pending', 'running'] } };

/** A job belongs to the replica that has its lease, as long as it is running. */
const held = ({ _id, lease }: LeasedImport) => ({ _id, lease, status: 'running' as const });

export function createImportJobStore(connection: Connection) {
  const rows = importJobs.open(connection);
  const due = createDue<ImportJobRow, LeasedImport>(connection, importJobs.collection, {
    read: (row) => row,
  });

  return {
    /** Imports to be worked on. */
    due,

    ...createImportLists(rows),
    ...createImportSteps(rows),
    ...createCancelling(rows),
    ...createOrder(rows, due),

    insert: (row: ImportJobRow, session: Session) => rows.insertOne(row, { session }),

    async postpone(job: LeasedImport, until: Date, failures: number): Promise<void> {
      await rows.of(job.workspace_id).updateOne(held(job), {
        $set: { due_at: until, failures },
        $unset: { lease: '' },
      });
      due.wake(undefined, until);
    },

    async finish(
      job: LeasedImport,
      status: 'completed' | 'failed' | 'cancelled',
      { now, fault }: { now: Date; fault?: ImportFault },
    ): Promise<boolean> {
      const { modifiedCount } = await rows.of(job.workspace_id).updateOne(held(job), {
        $set: { status, finished_at: now },
        $unset: { due_at: '', lease: '' },
        ...(fault ? { $push: { error_log: fault } } : {}),
      });
      return modifiedCount === 1;
    },
  };
}

function createImportLists(rows: Rows<ImportJobRow>) {
  return {
    get: (workspaceId: string, provider: string, id: string) =>
      rows.of(workspaceId).findOne({ _id: id, provider }),

    list: (workspaceId: string, provider: string, limit: number) =>
      rows
        .of(workspaceId)
        .find({ provider })
        .sort({ workspace_id: -1, provider: -1, _id: -1 })
        .limit(limit)
        .toArray(),

    /** Those of any provider that failed since a moment, newest first. */
    failedSince: (
      workspaceId: string,
      provider: string,
      { since, limit }: { since: Date; limit: number },
    ) =>
      rows
        .of(workspaceId)
        .find({ provider, status: 'failed', finished_at: { $gte: since } })
        .sort({ workspace_id: -1, provider: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}

/** How far a job is, from its first page to its last transaction. */
function createImportSteps(rows: Rows<ImportJobRow>) {
  return {
    async begin({ _id, lease, workspace_id, started_at }: LeasedImport, now: Date): Promise<void> {
      await rows
        .of(workspace_id)
        .updateOne(
          { _id, lease, ...UNDER_WAY },
          { $set: { status: 'running', started_at: started_at ?? now } },
        );
    },

    /** Notes, with the transactions of a page, that it is fetched; null when the job is another's or cancelled. */
    turnPage: (
      job: LeasedImport,
      page: { cursor: string | null; total: number | null; added: number; bytes: number },
      session: Session,
    ) =>
      rows.of(job.workspace_id).findOneAndUpdate(
        { ...held(job), pages: job.pages },
        {
          $set: {
            cursor: page.cursor,
            failures: 0,
            barren_pages: page.added > 0 ? 0 : (job.barren_pages ?? 0) + 1,
            ...(page.total === null ? {} : { fetch_total: page.total }),
          },
          $inc: { pages: 1, fetch_done: page.added, fetched_bytes: page.bytes },
        },
        { session, returnDocument: 'after' },
      ),

    /** Everything is fetched. */
    startProcessing: (job: LeasedImport) =>
      rows
        .of(job.workspace_id)
        .findOneAndUpdate(
          { ...held(job), phase: 'fetching' },
          { $set: { phase: 'processing', fetch_total: job.fetch_done, failures: 0 } },
          { returnDocument: 'after' },
        ),

    /** Notes that some more are processed; null when somebody else has, or the job is cancelled. */
    advance: (job: LeasedImport, { processed, imported, faults, failedInRow }: ImportProgress) =>
      rows.of(job.workspace_id).findOneAndUpdate(
        { ...held(job), processed_count: job.processed_count },
        {
          $inc: { processed_count: processed, imported_count: imported },
          $set: {
            failures: 0,
            ...(failedInRow === undefined ? {} : { failed_in_row: failedInRow }),
          },
          $push: { error_log: { $each: faults, $slice: ERROR_LOG_MAX } },
        },
        { returnDocument: 'after' },
      ),
  };
}

/**
 * Imports of a workspace are worked on one after the other, the oldest first, or they would hold a limit each. Asked with each
 * claim, so that it holds between replicas, too, and while the first waits for its provider.
 */
function createOrder(rows: Rows<ImportJobRow>, due: Pick<Due<LeasedImport>, 'wake'>) {
  const firstOf = (workspaceId: string) =>
    rows
      .of(workspaceId)
      .findOne({ due_at: { $exists: true } }, { sort: { _id: 1 }, projection: { _id: 1 } });

  return {
    /** Gives it back, with all that are due behind the first one, where it is not the first; says whether it did. */
    async giveWay({ _id, lease, workspace_id }: LeasedImport, now: Date): Promise<boolean> {
      const first = await firstOf(workspace_id);
      if (!first || first._id >= _id) return false;
      const until = { due_at: new Date(now.getTime() + WAIT_MS) };
      const own = rows.of(workspace_id);
      const others = { _id: { $gt: first._id }, due_at: { $exists: true, $lte: now } };
      await own.updateMany(others, { $set: until });
      await own.updateOne({ _id, lease, ...UNDER_WAY }, { $set: until, $unset: { lease: '' } });
      due.wake(undefined, until.due_at);
      return true;
    },

    /**
     * Has the first of them taken up at once, where it has waited for one that has ended: one that is older waits for its
     * provider. It may have been begun, by a replica that worked on several at a time.
     */
    async callNext(workspaceId: string, ended: string, now: Date): Promise<void> {
      const first = await firstOf(workspaceId);
      if (!first || first._id <= ended) return;
      const waits = { lease: { $exists: false }, due_at: { $exists: true, $gt: now } };
      const { modifiedCount } = await rows
        .of(workspaceId)
        .updateOne({ _id: first._id, ...UNDER_WAY, ...waits }, { $set: { due_at: now } });
      if (modifiedCount > 0) due.wake();
    },
  };
}

function createCancelling(rows: Rows<ImportJobRow>) {
  const cancelled = (now: Date) =>
    ({
      $set: { status: 'cancelled', finished_at: now },
      $unset: { due_at: '', lease: '' },
    }) as const;

  return {
    /** Ends a job that waits or runs; null when there is none, or it has ended. */
    cancel: (
      workspaceId: string,
      provider: string,
      { id, now, session }: { id: string; now: Date; session: Session },
    ) =>
      rows.of(workspaceId).findOneAndUpdate({ _id: id, provider, ...UNDER_WAY }, cancelled(now), {
        session,
        returnDocument: 'after',
      }),

    /** Ends all of a provider; resolves with the oldest of them, null when there are none. */
    async cancelAll(
      workspaceId: string,
      provider: string,
      { now, session }: { now: Date; session: Session },
    ): Promise<string | null> {
      const own = rows.of(workspaceId);
      const which = { provider, ...UNDER_WAY };
      const first = { session, sort: { _id: 1 }, projection: { _id: 1 } } as const;
      const oldest = await own.findOne(which, first);
      await own.updateMany(which, cancelled(now), { session });
      return oldest?._id ?? null;
    },
  };
}
