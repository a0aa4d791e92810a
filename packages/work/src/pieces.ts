import { type Context, type Logger, runInBackground } from '@laurel/lifecycle';
import type { Claimed } from './due';
import { clockOf, isPaged, type Process, type RowsJob } from './job';
import { whileRenewing } from './lease';
import { work as metrics } from './metrics';
import { byClockOf, clockOwner, type Owner } from './passes';
import type { Room } from './turns';

/** What a look at due rows came to. */
export interface Taken {
  count: number;
  /** More may be due than there was room for: in all, or for one tenant. */
  mayBeMore: boolean;
}

/** The rows of one job that this process is at work on. */
export interface Pieces {
  /** Takes up what is due and there is room for, and does not wait until it is done. */
  take(): Promise<Taken>;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
  /** Lets long work give back what it has in hand. */
  stop(): void;
}

export interface PiecesSpec {
  service: string;
  job: RowsJob;
  logger: Pick<Logger, 'error'>;
  /** Called when a piece is done whose room something may be waiting for, and by whose clock that is due. */
  onRoom(owner: Owner): void;
}

/** What the last look by somebody's clock could not take. */
interface Want {
  /** There was no room: it may be waiting for any piece to end. */
  isFull: boolean;
  /** Whose share was in hand, so that more of theirs may be due. */
  limited: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Rows of one tenant that are worked on together: one, or a page. */
type Task = [Claimed<unknown>, ...Claimed<unknown>[]];

/** Takes up rows and works on them, so many at once as there is room for in all and for each tenant. */
export function createPieces({ service, job, logger, onRoom }: PiecesSpec): Pieces {
  const labels = { service, job: job.name };
  const tasks = new Set<Promise<void>>();
  const inHand = new Map<string, number>();
  const wants = new Map<Owner, Want>();
  let count = 0;
  let stopping = false;
  const process = { isStopping: () => stopping };

  async function take(): Promise<Taken> {
    const owner = clockOwner();
    const left = job.concurrency - count;
    if (left <= 0) {
      wants.set(owner, { isFull: true, limited: NOBODY });
      return { count: 0, mayBeMore: true };
    }
    const room = { count: left, share: job.share, inHand: new Map(inHand) };
    const claimed = await job.due.claim(room, { now: clockOf(job).now(), leaseMs: job.leaseMs });
    metrics.dueRows.set(labels, claimed.length);
    for (const task of tasksOf(job, claimed)) begin(task);
    const isFull = claimed.length === left;
    const limited = atTheirShare(room, claimed);
    if (isFull || limited.size > 0) wants.set(owner, { isFull, limited });
    else wants.delete(owner);
    return { count: claimed.length, mayBeMore: isFull || limited.size > 0 };
  }

  function hold(turn: string, change: number): void {
    count += change;
    const held = (inHand.get(turn) ?? 0) + change;
    if (held > 0) inHand.set(turn, held);
    else inHand.delete(turn);
    metrics.inHand.set(labels, count);
  }

  function begin(pieces: Task): void {
    const [{ turn }] = pieces;
    hold(turn, pieces.length);
    const task: Promise<void> = workOn(pieces, { labels, job, logger, process }).finally(() => {
      tasks.delete(task);
      hold(turn, -pieces.length);
      for (const [owner, { isFull, limited }] of wants)
        if (isFull || limited.has(turn)) onRoom(owner);
    });
    tasks.add(task);
  }

  return {
    take,
    async idle() {
      while (tasks.size > 0) await Promise.all(tasks);
    },
    stop: () => {
      stopping = true;
    },
  };
}

interface Around {
  labels: { service: string; job: string };
  job: RowsJob;
  logger: Pick<Logger, 'error'>;
  process: Process;
}

async function workOn(pieces: Task, { labels, job, logger, process }: Around): Promise<void> {
  const { context, nowMs, leaseEnd } = timeOf(job);
  for (const { dueAt } of pieces)
    if (dueAt) metrics.lag.observe(labels, (nowMs() - dueAt.getTime()) / 1_000);
  const end = metrics.duration.startTimer(labels);
  const [piece] = pieces;
  const [renew, work] = isPaged(job)
    ? [() => job.due.renewAll(pieces, leaseEnd()), () => job.workPage(pieces, process)]
    : [() => job.due.renew(piece, leaseEnd()), () => job.work(piece.row, piece, process)];
  try {
    const renewing = () => whileRenewing<unknown>(job.leaseMs, renew, work);
    await runInBackground(`${labels.service}.${job.name}`, renewing, context);
    metrics.runs.inc({ ...labels, outcome: 'done' }, pieces.length);
  } catch (error) {
    metrics.runs.inc({ ...labels, outcome: 'failed' }, pieces.length);
    logger.error(
      { err: error, job: job.name, row: piece.id, rows: pieces.length },
      'work ended in a fault; it will be taken up again',
    );
    job.due.wake(undefined, leaseEnd());
  } finally {
    end();
  }
}

/** What was claimed, as it is worked on: rows of a tenant that a job takes in pages go together. */
function tasksOf(job: RowsJob, claimed: readonly Claimed<unknown>[]): Task[] {
  if (!isPaged(job)) return claimed.map((piece) => [piece]);
  const pages: Task[] = [];
  const open = new Map<string, Task>();
  for (const piece of claimed) {
    const page = open.get(piece.turn);
    if (page && page.length < job.page) page.push(piece);
    else {
      const begun: Task = [piece];
      open.set(piece.turn, begun);
      pages.push(begun);
    }
  }
  return pages;
}

interface PieceTime {
  context: Partial<Context>;
  nowMs(): number;
  /** When a claim ends that is made or renewed now. */
  leaseEnd(): Date;
}

/** By whose time a piece is worked on. Timers have a context of their own, and so would have real time. */
function timeOf(job: RowsJob): PieceTime {
  const workspaceId = clockOwner();
  const read = () => clockOf(job).now().getTime();
  const nowMs = workspaceId === null ? read : () => byClockOf(workspaceId, read);
  return {
    context: workspaceId === null ? {} : { workspaceId },
    nowMs,
    leaseEnd: () => new Date(nowMs() + job.leaseMs),
  };
}

function atTheirShare({ inHand, share }: Room, claimed: readonly Claimed<unknown>[]): Set<string> {
  const held = new Map(inHand);
  for (const { turn } of claimed) held.set(turn, (held.get(turn) ?? 0) + 1);
  return new Set([...held].filter(([, count]) => count >= share).map(([turn]) => turn));
}
