import type { WorkerSpec } from '@laurel/lifecycle';
import type { DueTimes } from './due';
import type { PieceJob } from './job';

/** Such work renews what it holds by itself. */
const NEVER_MS = 86_400_000;

/**
 * Makes a row of a table of jobs of a worker that claims and renews by means of its own: a store whose claims carry more
 * than a lease. It sleeps and wakes as every other row.
 */
export function workerJob<Row>(spec: WorkerSpec<Row>, due: DueTimes): PieceJob<Row> {
  const { name, concurrency, share } = spec;
  return {
    name,
    concurrency,
    share,
    leaseMs: NEVER_MS,
    due: {
      ...due,
      claim: async (room) =>
        (await spec.claim(room)).map((row) => ({
          row,
          id: name,
          lease: name,
          turn: spec.turnOf(row),
          dueAt: null,
        })),
      renew: async () => true,
    },
    work: (row) => spec.work(row),
  };
}
