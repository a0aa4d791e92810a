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

/** Works off rows one by one, each claimed, so many at once; tenants take turns. */
export interface PieceJob<Row> extends Named {
  due: PieceSource<Row>;
  /** In hand at once at most, in one process. */
  concurrency: number;
  /** In hand at once at most of one tenant: a slow or broken one never takes all the room. */
  share: number;
  /** How long a row stays with a process that died at it. The claim of one that lives is renewed. */
  leaseMs: number;
  clock?: Clock;
  /**
   * Works on one row, and then finishes it or gives it back. What rejects, or leaves the row as it is, is due again
   * when its claim ends. Long work gives the row back as soon as the process is to stop.
   */
  work(row: Row, claim: Claimed<Row>, process: Process): Promise<unknown>;
}

/** A row of a service's table of what runs by itself (jobs.ts, docs/adr/0018). */
export type Job = TimedJob | BatchJob | PieceJob<unknown>;

export const isTimed = (job: Job): job is TimedJob => 'every' in job;
export const isPieceWork = (job: Job): job is PieceJob<unknown> => 'concurrency' in job;

export const clockOf = (job: BatchJob | PieceJob<unknown>): Clock =>
  job.clock ?? { now: () => new Date() };

/** When something of a job is due by the clock of a sandbox; undefined where it takes no part in that (docs/adr/0029). */
export const dueInSandboxes = (job: Job): DueTimes | undefined =>
  isTimed(job) ? job.inSandboxes : job.movesClocks ? undefined : job.due;
