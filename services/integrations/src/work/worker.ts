import { type Logger, runInContext, systemContext } from '@laurel/lifecycle';

export interface WorkerSpec<Row> {
  name: string;
  /** Looked for that often, and whenever it is poked. */
  everyMs: number;
  /** In hand at once at most, from this process. */
  concurrency: number;
  /** Takes one that is due, of none of these lanes, so that no other worker has it; null when there is none. */
  claim(fullLanes: readonly string[]): Promise<Row | null>;
  laneOf(row: Row): string;
  /** Of one lane at once at most: a slow one never takes all the room. */
  concurrencyPerLane: number;
  work(row: Row): Promise<void>;
}

export interface Worker {
  /** Says that there is something to do. */
  poke(): void;
  /** Takes nothing new and waits for what is in hand. */
  stop(): Promise<void>;
}

/**
 * Works off what is due, as much at once as there is room for. What its rows hold is leased, so that any number of
 * these may run, and what one dies over another takes up.
 */
export function startWorker<Row>(spec: WorkerSpec<Row>, logger: Logger): Worker {
  const inHand = new Set<Promise<void>>();
  const lanes = new Map<string, number>();
  let stopped = false;
  let looking: Promise<void> | null = null;
  let again = false;

  function look(): void {
    again = true;
    looking ??= takeAll().finally(() => {
      looking = null;
    });
  }

  async function takeAll(): Promise<void> {
    while (again && !stopped) {
      again = false;
      try {
        while (!stopped && inHand.size < spec.concurrency) {
          const full = [...lanes].filter(([, count]) => count >= spec.concurrencyPerLane);
          const row = await spec.claim(full.map(([lane]) => lane));
          if (!row) break;
          begin(row);
        }
      } catch (error) {
        logger.error({ err: error, worker: spec.name }, 'a worker could not reach its store');
      }
    }
  }

  function begin(row: Row): void {
    const lane = spec.laneOf(row);
    lanes.set(lane, (lanes.get(lane) ?? 0) + 1);
    const task: Promise<void> = runInContext(systemContext(), () => spec.work(row))
      .catch((error: unknown) => {
        logger.error(
          { err: error, worker: spec.name },
          'work ended in a fault; it will be taken up again',
        );
      })
      .finally(() => {
        inHand.delete(task);
        const left = lanes.get(lane)! - 1;
        if (left > 0) lanes.set(lane, left);
        else lanes.delete(lane);
        if (!stopped) look();
      });
    inHand.add(task);
  }

  const timer = setInterval(look, spec.everyMs);
  timer.unref();
  return {
    poke: look,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all(inHand);
    },
  };
}
