import type { Claimed, Due, DueTimes } from './due';

interface Clock {
  now(): Date;
}

/** What a run says: whether more is waiting, so that a backlog is worked off at once. */
export type Again = { more: boolean } | undefined;

/** The process that works, as far as the work has to heed it. */
export interface Process {
  isStopping(): boolean;
}

interface Named {
  /** Verb and noun, as its use case: `expire-referrals`. */
  name: string;
  /** It moves clocks itself, and so nothing that a clock waits for (docs/adr/0029). */
  movesClocks?: true;
}

/** Runs every so often, and at once again while more is waiting. */
export interface TimedJob extends Named {
  every: number;
  /** Only one of all replicas at a time; the work must be safe to repeat all the same. */
  alone?: true;
  /** What it finds, so that in a sandbox whose clock was moved it is done in time; without, sandboxes go without it. */
  inSandboxes?: DueTimes;
  work(): Promise<Again>;
}

/** Runs when something is due; what is due is found and guarded by the work itself. */
export interface BatchJob extends Named {
  due: DueTimes;
  alone?: true;
  clock?: Clock;
  work(): Promise<Again>;
}

/** What rows are taken from. */
export type PieceSource<Row> = DueTimes &
  Pick<Due<Row>, 'claim' | 'renew'> &
  Partial<Pick<Due<Row>, 'hasFormerRows' | 'adopt' | 'isHeld'>>;

/**
 * How long most rows stay with a process that died at them: short enough that what waits for them has not long to wait, as the
 * claim of a process that lives is renewed for as long as it works.
 */
export const PIECE_LEASE_MS = 30_000;

/** Works off rows that are claimed, so many at once; tenants take turns. */
interface RowJob<Row> extends Named {
  due: PieceSource<Row>;
  /** In hand at once at most, in one process. */
  concurrency: number;
  /** In hand at once at most of one tenant: a slow or broken one never takes all the room. */
  share: number;
  /** How long a row stays with a process that died at it. The claim of one that lives is renewed. */
  leaseMs: number;
  clock?: Clock;
}

/** Works off rows one by one. */
export interface PieceJob<Row> extends RowJob<Row> {
  /**
   * Works on one row, and then finishes it or gives it back. What rejects, or leaves the row as it is, is due again
   * when its claim ends. Long work gives the row back as soon as the process is to stop.
   */
  work(row: Row, claim: Claimed<Row>, process: Process): Promise<unknown>;
}

/** Works off rows in pages: what is taken up at once of one tenant is worked on together. */
export interface PageJob<Row> extends RowJob<Row> {
  due: PieceSource<Row> & Pick<Due<Row>, 'renewAll'>;
  /** Rows worked on together at most. */
  page: number;
  /** As `work` of a piece job, for all rows of a page: what rejects leaves them all to be taken up again. */
  workPage(page: readonly Claimed<Row>[], process: Process): Promise<unknown>;
}

/** Rows that are taken up one by one, or in pages. */
export type RowsJob = PieceJob<unknown> | PageJob<unknown>;

/** A row of a service's table of what runs by itself (jobs.ts, docs/adr/0018). */
export type Job = TimedJob | BatchJob | RowsJob;

export const isTimed = (job: Job): job is TimedJob => 'every' in job;
export const isPieceWork = (job: Job): job is RowsJob => 'concurrency' in job;
export const isPaged = (job: RowsJob): job is PageJob<unknown> => 'page' in job;

export const clockOf = (job: BatchJob | RowsJob): Clock => job.clock ?? { now: () => new Date() };

/** When something of a job is due by the clock of a sandbox; undefined where it takes no part in that (docs/adr/0029). */
export const dueInSandboxes = (job: Job): DueTimes | undefined =>
  isTimed(job) ? job.inSandboxes : job.movesClocks ? undefined : job.due;
