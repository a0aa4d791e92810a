import { runInBackground } from './background';
import type { Logger } from './logger';

/** What may be taken up now, so that none of those who take turns gets more than its share. */
export interface Room {
  /** Pieces that may be begun. */
  count: number;
  /** Pieces of one taker of turns that may be in hand at once. */
  share: number;
  /** Pieces in hand, by whose they are. */
  inHand: ReadonlyMap<string, number>;
}

export interface WorkerSpec<Row> {
  name: string;
  /** In hand at once at most, from this process. */
  concurrency: number;
  /** In hand at once at most of one tenant: a slow or broken one never takes all the room. */
  share: number;
  /** Takes what is due and fits into the room, so that no other worker has it; tenants take turns. */
  claim(room: Room): Promise<Row[]>;
  /** Whose turn a row is: as a rule its workspace. */
  turnOf(row: Row): string;
  work(row: Row): Promise<void>;
}

export interface Worker {
  /** Takes up what is due and there is room for, and does not wait until it is done. */
  look(): Promise<void>;
  /** Resolves when nothing is in hand and nothing more is due. */
  idle(): Promise<void>;
  /** Takes nothing new and waits for what is in hand. */
  stop(): Promise<void>;
}

/**
 * Works off what is due, as much at once as there is room for. What its rows hold is leased, so that any number of
 * these may run, and what one dies over another takes up.
 */
export function createWorker<Row>(spec: WorkerSpec<Row>, logger: Pick<Logger, 'error'>): Worker {
  const tasks = new Set<Promise<void>>();
  const inHand = new Map<string, number>();
  let stopped = false;
  let looking: Promise<void> | null = null;
  let again = false;

  function look(): Promise<void> {
    again = true;
    looking ??= runInBackground(spec.name, takeAll).finally(() => {
      looking = null;
    });
    return looking;
  }

  async function takeAll(): Promise<void> {
    while (again && !stopped) {
      again = false;
      try {
        const count = spec.concurrency - tasks.size;
        if (count <= 0) return;
        const taken = await spec.claim({ count, share: spec.share, inHand: new Map(inHand) });
        for (const row of taken) begin(row);
        if (taken.length > 0) again = true;
      } catch (error) {
        logger.error({ err: error, worker: spec.name }, 'a worker could not reach its store');
      }
    }
  }

  function begin(row: Row): void {
    const turn = spec.turnOf(row);
    inHand.set(turn, (inHand.get(turn) ?? 0) + 1);
    const task: Promise<void> = runInBackground(spec.name, () => spec.work(row))
      .catch((error: unknown) => {
        logger.error(
          { err: error, worker: spec.name },
          'work ended in a fault; it will be taken up again',
        );
      })
      .finally(() => {
        tasks.delete(task);
        const left = inHand.get(turn)! - 1;
        if (left > 0) inHand.set(turn, left);
        else inHand.delete(turn);
        if (!stopped) void look();
      });
    tasks.add(task);
  }

  return {
    look,
    async idle() {
      while (looking || tasks.size > 0) {
        await looking;
        await Promise.all(tasks);
      }
    },
    async stop() {
      stopped = true;
      await looking;
      await Promise.all(tasks);
    },
  };
}
