import type { ResyncStatus } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { createDue, dueIndex, type Wakes } from '@laurel/work';

const DUE = { column: 'lease_until', where: { open: true } };
const KEPT_SECONDS = 90 * 86_400;

export interface ResyncJob {
  id: string;
  workspaceId: string;
  status: ResyncStatus;
  /** null: everybody. */
  clientIds: readonly string[] | null;
  /**
   * The work in pieces, made when it starts: piece n ends with the n-th of these ids. What has been
   * done is `position` pieces.
   */
  boundaries: readonly string[];
  position: number;
  total: number;
  processed: number;
  promoted: number;
  demoted: number;
  attempts: number;
  startedAt: Date | null;
  finishedAt: Date | null;
  error: string | null;
}

interface ResyncDocument {
  _id: string;
  workspace_id: string;
  status: ResyncStatus;
  client_ids: readonly string[] | null;
  boundaries: readonly string[];
  position: number;
  total: number;
  processed: number;
  promoted: number;
  demoted: number;
  attempts: number;
  /** How often another request was content with this job before it began. */
  joined: number;
  started_at: Date | null;
  finished_at: Date | null;
  error: string | null;
  /** There only while unfinished. */
  open?: true;
  lease: string | null;
  lease_until: Date;
}

const IDS_ALONE = 'ids alone, and gone 90 days after the job';

export const resyncJobs = collection<ResyncDocument>('resync_jobs', {
  tenant: 'workspace_id',
  person: {
    column: 'client_ids',
    merged: 'stays: whoever is merged is looked at on that occasion',
    anonymized: `stays: ${IDS_ALONE}`,
    deleted: 'as anonymized',
    exported: `withheld: ${IDS_ALONE}`,
  },
  growth: {
    per: 'change of the rules',
    end: '90 days',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, _id: -1 }, name: 'of_workspace' },
    dueIndex(DUE),
    { key: { finished_at: 1 }, name: 'finished_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
});

export interface Claim {
  job: ResyncJob;
  lease: string;
}

/** What one piece of work came to. */
export interface PieceDone {
  processed: number;
  promoted: number;
  demoted: number;
}

const FREE = new Date(0);

/** Evaluations of many clients, worked off piece by piece under a lease. */
export function createResyncJobStore(connection: Connection) {
  const rows = resyncJobs.open(connection);
  const due = createDue<ResyncDocument, ResyncJob>(connection, resyncJobs.collection, {
    ...DUE,
    read: fromDocument,
  });
  return {
    /** Jobs that wait for a worker. */
    due,
    ...createResyncRequests(rows, due),
    ...createResyncWork(rows, due),
    ...createResyncLists(rows),
  };
}

function createResyncRequests(rows: Rows<ResyncDocument>, due: Wakes) {
  return {
    /**
     * A job for everybody that has not begun yet, joined by the caller: it will see whatever this
     * session commits, since beginning it and joining it write the same row.
     */
    async joinQueued(workspaceId: string, session: Session): Promise<string | null> {
      const filter = { open: true as const, status: 'queued' as const, client_ids: null };
      const found = await rows
        .of(workspaceId)
        .findOneAndUpdate(filter, { $inc: { joined: 1 } }, { session });
      return found?._id ?? null;
    },

    async insert(
      workspaceId: string,
      clientIds: readonly string[] | null,
      session: Session,
    ): Promise<ResyncJob> {
      const document: ResyncDocument = {
        _id: newId(),
        workspace_id: workspaceId,
        status: 'queued',
        client_ids: clientIds,
        boundaries: [],
        position: 0,
        total: 0,
        processed: 0,
        promoted: 0,
        demoted: 0,
        attempts: 0,
        joined: 0,
        started_at: null,
        finished_at: null,
        error: null,
        open: true,
        lease: null,
        lease_until: FREE,
      };
      due.wake(session);
      await rows.insertOne(document, { session });
      return fromDocument(document);
    },
  };
}

/** What the holder of a job's lease writes. */
function createResyncWork(rows: Rows<ResyncDocument>, due: Wakes) {
  return {
    async begin(
      { job, lease }: Claim,
      { boundaries, total }: Pick<ResyncJob, 'boundaries' | 'total'>,
      now: Date,
    ): Promise<boolean> {
      const { matchedCount } = await rows
        .of(job.workspaceId)
        .updateOne(
          { _id: job.id, lease },
          { $set: { boundaries, total, status: 'running', started_at: now } },
        );
      return matchedCount === 1;
    },

    /** Counts one piece as done, in the transaction that did it. Throws LostLease when another works here. */
    async advance(
      { job, lease }: Claim,
      { processed, promoted, demoted, leaseUntil }: PieceDone & { leaseUntil: Date },
      session: Session,
    ): Promise<void> {
      const { matchedCount } = await rows.of(job.workspaceId).updateOne(
        { _id: job.id, lease, position: job.position },
        {
          $set: { lease_until: leaseUntil, attempts: 0 },
          $inc: { position: 1, processed, promoted, demoted },
        },
        { session },
      );
      if (matchedCount === 0) throw new LostLease();
    },

    async finish({ job, lease }: Claim, now: Date, error: string | null): Promise<void> {
      await rows.of(job.workspaceId).updateOne(
        { _id: job.id, lease },
        {
          $set: {
            status: error === null ? 'completed' : 'failed',
            finished_at: now,
            error,
            lease: null,
          },
          $unset: { open: '' },
        },
      );
    },

    /** Gives a job back after a fault, to be tried again a little later. */
    async giveBack({ job, lease }: Claim, retryAt: Date): Promise<void> {
      await rows
        .of(job.workspaceId)
        .updateOne(
          { _id: job.id, lease },
          { $set: { lease: null, lease_until: retryAt }, $inc: { attempts: 1 } },
        );
      due.wake(undefined, retryAt);
    },
  };
}

function createResyncLists(rows: Rows<ResyncDocument>) {
  return {
    async find(workspaceId: string, id: string): Promise<ResyncJob | null> {
      const projection = { boundaries: 0, client_ids: 0 };
      const document = await rows.of(workspaceId).findOne({ _id: id }, { projection });
      return document ? fromDocument(document) : null;
    },

    /** Newest first. */
    async list(workspaceId: string, { limit, offset }: { limit: number; offset: number }) {
      const own = rows.of(workspaceId);
      const projection = { boundaries: 0, client_ids: 0 };
      const [found, total] = await Promise.all([
        own.find({}, { projection }).sort({ _id: -1 }).skip(offset).limit(limit).toArray(),
        own.count(),
      ]);
      return { jobs: found.map(fromDocument), total };
    },
  };
}

/** Another worker took the job over; the one that gets this stops. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

function fromDocument(document: ResyncDocument): ResyncJob {
  return {
    id: document._id,
    workspaceId: document.workspace_id,
    status: document.status,
    clientIds: document.client_ids ?? null,
    boundaries: document.boundaries ?? [],
    position: document.position,
    total: document.total,
    processed: document.processed,
    promoted: document.promoted,
    demoted: document.demoted,
    attempts: document.attempts,
    startedAt: document.started_at,
    finishedAt: document.finished_at,
    error: document.error,
  };
}
