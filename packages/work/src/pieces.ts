import { type Context, type Logger, runInBackground } from '@laurel/lifecycle';
import type { Claimed } from './due';
import { clockOf, type PieceJob } from './job';
import { whileRenewing } from './lease';
import { work as metrics } from './metrics';
import { byClockOf, clockOwner, type Owner } from './passes';
import type { Room } from './turns';

/** What a look at due rows came to. */
export interface Taken {
  count: number;
  /** More may be due than there was room for. */
  isFull: boolean;
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
  job: PieceJob<unknown>;
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

/** Takes up rows and works on them, so many at once as there is room for in all and for each tenant. */
export function createPieces({ service, job, logger, onRoom }: PiecesSpec): Pieces {
  const labels = { service, job: job.name };
  const name = `${service}.${job.name}`;
  const tasks = new Set<Promise<void>>();
  const inHand = new Map<string, number>();
  const wants = new Map<Owner, Want>();
  let stopping = false;
  const process = { isStopping: () => stopping };

  async function take(): Promise<Taken> {
    const owner = clockOwner();
    const count = job.concurrency - tasks.size;
    if (count <= 0) {
      wants.set(owner, { isFull: true, limited: NOBODY });
      return { count: 0, isFull: true };
    }
    const room = { count, share: job.share, inHand: new Map(inHand) };
    const claimed = await job.due.claim(room, { now: clockOf(job).now(), leaseMs: job.leaseMs });
    metrics.dueRows.set(labels, claimed.length);
    for (const piece of claimed) begin(piece);
    const isFull = claimed.length === count;
    const limited = atTheirShare(room, claimed);
    if (isFull || limited.size > 0) wants.set(owner, { isFull, limited });
    else wants.delete(owner);
    return { count: claimed.length, isFull };
  }

  function begin(piece: Claimed<unknown>): void {
    const { turn } = piece;
    inHand.set(turn, (inHand.get(turn) ?? 0) + 1);
    const task: Promise<void> = workOn(piece).finally(() => {
      tasks.delete(task);
      const held = inHand.get(turn)!;
      if (held > 1) inHand.set(turn, held - 1);
      else inHand.delete(turn);
      metrics.inHand.set(labels, tasks.size);
      for (const [owner, { isFull, limited }] of wants)
        if (isFull || limited.has(turn)) onRoom(owner);
    });
    tasks.add(task);
    metrics.inHand.set(labels, tasks.size);
  }

  async function workOn(piece: Claimed<unknown>): Promise<void> {
    const { context, nowMs, leaseEnd } = timeOf(job);
    if (piece.dueAt) metrics.lag.observe(labels, (nowMs() - piece.dueAt.getTime()) / 1_000);
    const end = metrics.duration.startTimer(labels);
    const renew = () => job.due.renew(piece, leaseEnd());
    const work = () => whileRenewing(job.leaseMs, renew, () => job.work(piece.row, piece, process));
    try {
      await runInBackground(name, work, context);
      metrics.runs.inc({ ...labels, outcome: 'done' });
    } catch (error) {
      metrics.runs.inc({ ...labels, outcome: 'failed' });
      logger.error(
        { err: error, job: job.name, row: piece.id },
        'work ended in a fault; it will be taken up again',
      );
      job.due.wake(undefined, leaseEnd());
    } finally {
      end();
    }
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

interface PieceTime {
  context: Partial<Context>;
  nowMs(): number;
  /** When a claim ends that is made or renewed now. */
  leaseEnd(): Date;
}

/** By whose time a piece is worked on. Timers have a context of their own, and so would have real time. */
function timeOf(job: PieceJob<unknown>): PieceTime {
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
