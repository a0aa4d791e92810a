import { hostname } from 'node:os';
import type { Job } from '@laurel/lifecycle';
import { withLease } from '@laurel/mongo';
import type { Deps } from './deps';
import { finishRefunds } from './use-cases/finish-refunds';
import { settleDueWallets } from './use-cases/settle-due-wallets';
import { takeCheckpoints } from './use-cases/take-checkpoints';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** What the ledger does by the clock. A lease only spares replicas double work; each effect is safe without it. */
export function jobs(deps: Deps): Job[] {
  const holder = `${hostname()}:${process.pid}`;
  const alone = (job: Job): Job => ({
    ...job,
    run: async () => (await withLease(deps.connection, job.name, holder, job.run)) ?? undefined,
  });
  return [
    alone({ name: 'settle', everyMs: 5 * SECOND_MS, run: () => settleDueWallets(deps) }),
    alone({ name: 'refunds', everyMs: 5 * SECOND_MS, run: () => finishRefunds(deps) }),
    alone({
      name: 'checkpoints',
      everyMs: Math.min(MINUTE_MS, deps.checkpointIntervalMs / 2),
      run: () => takeCheckpoints(deps),
    }),
  ];
}
